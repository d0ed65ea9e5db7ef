import fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { Drill } from "../src/api/types";
import { selectionOf } from "../src/state/selection";
import { bestOf, costOf, countOf, dealFrom, draw, dress, keyOf, lostPer100, marked, type Marks, weakest, weightOf } from "../src/state/trainer";

const drill = (hand: string[], up: string | null, frequency: string, values: Record<string, string>): Drill => ({ hand, up, frequency, values });
const SIXTEEN = drill(["6", "10"], "10", "0.020", { hit: "-0.535", stand: "-0.540" });
const ELEVEN = drill(["5", "6"], "6", "0.005", { double: "+0.667", hit: "+0.334", stand: "-0.154" });
const TWENTY = drill(["10", "10"], "6", "0.008", { stand: "+0.700", hit: "-0.850" });
const ALL = [SIXTEEN, ELEVEN, TWENTY];

describe("what is practised", () => {
  it("comes up by frequency times the smallest mistake; what nobody gets wrong does not", () => {
    expect(weightOf(SIXTEEN)).toBeCloseTo(0.02 * 0.005);
    expect(weightOf(ELEVEN)).toBeCloseTo(0.005 * 0.333);
    expect(weightOf(TWENTY)).toBe(0);
  });

  it("fades with right answers and comes back after a wrong one", () => {
    const right = marked({}, ELEVEN, "double");
    expect(weightOf(ELEVEN, right[keyOf(ELEVEN)])).toBeLessThan(weightOf(ELEVEN) / 2);
    const wrong = marked(right, ELEVEN, "stand");
    expect(weightOf(ELEVEN, wrong[keyOf(ELEVEN)])).toBeGreaterThan(weightOf(ELEVEN));
    expect(weightOf(TWENTY, marked({}, TWENTY, "hit")[keyOf(TWENTY)])).toBeGreaterThan(0);
  });

  it("is drawn in proportion to its weight, and never twice running", () => {
    const drawn = Array.from({ length: 1000 }, (_, index) => draw(ALL, {}, "", (index + 0.5) / 1000));
    const share = drawn.filter((one) => one === ELEVEN).length / 1000;
    expect(share).toBeCloseTo(weightOf(ELEVEN) / (weightOf(ELEVEN) + weightOf(SIXTEEN)), 2);
    fc.assert(fc.property(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (chance) => draw(ALL, {}, keyOf(ELEVEN), chance) !== ELEVEN));
  });

  it("is reviewed as bets lost in 100 rounds", () => {
    let marks: Marks = {};
    expect(lostPer100(ALL, marks)).toBe(0);
    marks = marked(marked(marks, ELEVEN, "hit"), ELEVEN, "double");
    expect(costOf(ELEVEN, "hit")).toBeCloseTo(0.333);
    expect(lostPer100(ALL, marks)).toBeCloseTo((100 * 0.005 * 0.333) / 2);
    expect(weakest(ALL, marks, 5)).toEqual([ELEVEN]);
    expect(bestOf(ELEVEN)).toBe("double");
  });

  it("shows cards of the values asked for, no two alike", () => {
    fc.assert(
      fc.property(fc.constantFrom(...ALL), fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })), (one, stream) => {
        const { hand, up } = dress(one, () => stream.next().value as number);
        const value = (face: string): string => (["J", "Q", "K"].includes(face.slice(0, -1)) ? "10" : face.slice(0, -1));
        expect(hand.map(value)).toEqual(one.hand);
        expect(up === null ? null : value(up)).toBe(one.up);
        expect(new Set([...hand, up]).size).toBe(hand.length + 1);
      }),
    );
  });
});

describe("counting", () => {
  it("a whole shoe counts nothing", () => {
    const shoe = dealFrom(6, 1000, Math.random);
    expect(shoe).toHaveLength(312);
    expect(shoe.reduce((sum, face) => sum + countOf(face), 0)).toBe(0);
  });
});

describe("a selection of the history", () => {
  it("counts days from midnight here, today among them", () => {
    const now = new Date(2026, 4, 31, 18, 30);
    expect(selectionOf({ game: "", period: "all" }, now)).toEqual({});
    expect(selectionOf({ game: "la-paire", period: "day" }, now)).toEqual({ game: "la-paire", since: new Date(2026, 4, 31).toISOString() });
    expect(selectionOf({ game: "", period: "week" }, now)).toEqual({ since: new Date(2026, 4, 25).toISOString() });
  });
});
