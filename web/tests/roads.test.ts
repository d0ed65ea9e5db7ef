import fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { Coup, Side } from "../src/api/types";
import { beadPlate, bigRoad, colours, depthsOf, derivedRoad, prediction, ROWS, tally } from "../src/roads";
import { naiveBigRoad, naiveColours, naiveDerived } from "./naive-roads";

const coup = (winner: Side, pairs = ""): Coup => ({
  round: "r",
  winner,
  player_total: winner === "player" ? 7 : 5,
  banker_total: winner === "banker" ? 8 : 5,
  player_pair: pairs.includes("p"),
  banker_pair: pairs.includes("b"),
  player_cards: 2,
  banker_cards: 2,
});
const SIDES = { P: "player", B: "banker", T: "tie" } as const;
const shoe = (letters: string): Coup[] => [...letters].map((letter) => coup(SIDES[letter as keyof typeof SIDES]));

const winners = fc.array(fc.constantFrom<Side>("player", "banker", "tie"), { maxLength: 90 });
// Long runs bend the roads, so they are made on purpose.
const runs = fc
  .array(fc.tuple(fc.constantFrom<Side>("player", "banker", "tie"), fc.integer({ min: 1, max: 12 })), { maxLength: 14 })
  .map((all) => all.flatMap(([side, length]) => Array.from({ length }, () => side)));
const shoes = fc.oneof(winners, runs).map((all) => all.map((side) => coup(side)));

describe("bead plate", () => {
  it("fills downwards, then to the right, with every result", () => {
    const beads = beadPlate(shoe("PBTPBTPB"));
    expect(beads.map(({ column, row }) => [column, row])).toEqual([
      [0, 0],
      [0, 1],
      [0, 2],
      [0, 3],
      [0, 4],
      [0, 5],
      [1, 0],
      [1, 1],
    ]);
    expect(beads.map((bead) => bead.total).slice(0, 3)).toEqual([7, 8, 5]);
  });
});

describe("big road", () => {
  it.each([
    ["PPB", "0,0 0,1 1,0"],
    ["PPPPPPPP", "0,0 0,1 0,2 0,3 0,4 0,5 1,5 2,5"],
    ["PPPPPPPPBBBBBB", "0,0 0,1 0,2 0,3 0,4 0,5 1,5 2,5 1,0 1,1 1,2 1,3 1,4 2,4"],
    ["PTTB", "0,0 1,0"],
  ])("%s lies at %s", (letters, places) => {
    expect(
      bigRoad(shoe(letters))
        .map(({ column, row }) => `${column},${row}`)
        .join(" "),
    ).toBe(places);
  });

  it("marks ties on the last result, with their count, and pairs as dots", () => {
    expect(bigRoad(shoe("PTTB"))[0]).toMatchObject({ winner: "player", ties: 2 });
    expect(bigRoad([coup("banker", "pb")])[0]).toMatchObject({ playerPair: true, bankerPair: true });
    expect(bigRoad(shoe("TT"))).toMatchObject([{ winner: null, ties: 2, column: 0, row: 0 }]);
    expect(bigRoad(shoe("TTB"))).toMatchObject([{ winner: "banker", ties: 2 }]);
  });

  it("is what a pencil would draw, whatever the shoe", () => {
    fc.assert(
      fc.property(shoes, (coups) => {
        const drawn = bigRoad(coups).filter((mark) => mark.winner !== null);
        expect(drawn.map(({ column, row, winner }) => ({ column, row, winner }))).toEqual(naiveBigRoad(coups));
      }),
      { numRuns: 400 },
    );
  });

  it("never puts two marks in one place, nor leaves the six rows", () => {
    fc.assert(
      fc.property(shoes, (coups) => {
        const places = bigRoad(coups).map(({ column, row }) => `${column},${row}`);
        expect(new Set(places).size).toBe(places.length);
        expect(bigRoad(coups).every(({ row }) => row >= 0 && row < ROWS)).toBe(true);
      }),
    );
  });
});

describe("derived roads", () => {
  it("start in column k+1 row 2, or with column k+2", () => {
    expect(colours([1, 1], 1)).toEqual([]);
    expect(colours([1, 2], 1)).toEqual(["blue"]);
    expect(colours([2, 2], 1)).toEqual(["red"]);
    expect(colours([1, 1, 1], 1)).toEqual(["red"]);
    expect(colours([2, 1, 1], 1)).toEqual(["blue"]);
    expect(colours([3, 1, 1], 2)).toEqual([]);
    expect(colours([3, 1, 2], 2)).toEqual(["red"]);
  });

  it.each([1, 2, 3])("road %i is what a pencil would draw, whatever the shoe", (k) => {
    fc.assert(
      fc.property(shoes, (coups) => {
        expect(colours(depthsOf(coups), k)).toEqual(naiveColours(coups, k));
        expect(derivedRoad(coups, k)).toEqual(naiveDerived(coups, k));
      }),
      { numRuns: 400 },
    );
  });

  it("predict what the next coup would really mark", () => {
    fc.assert(
      fc.property(shoes, fc.constantFrom<"player" | "banker">("player", "banker"), (coups, side) => {
        prediction(coups, side).forEach((colour, index) => {
          const before = colours(depthsOf(coups), index + 1);
          const after = colours(depthsOf([...coups, coup(side)]), index + 1);
          expect(after.slice(before.length)).toEqual(colour === null ? [] : [colour]);
        });
      }),
    );
  });

  it("do not change with a tie", () => {
    fc.assert(
      fc.property(shoes, (coups) => {
        for (const k of [1, 2, 3]) expect(derivedRoad([...coups, coup("tie")], k)).toEqual(derivedRoad(coups, k));
      }),
    );
  });
});

it("counts the shoe", () => {
  expect(tally([...shoe("PPBT"), coup("banker", "pb")])).toEqual({
    player: 2,
    banker: 2,
    tie: 1,
    playerPair: 1,
    bankerPair: 1,
  });
});
