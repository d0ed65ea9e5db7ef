import { describe, expect, it } from "vitest";

import type { Stakes } from "../src/api/types";
import { memoryOf, NOTHING } from "../src/state/memory";
import { viewsOf } from "./recorded";

const [FIRST] = viewsOf("blackjack-side-bets-and-splits");
const LAST = viewsOf("blackjack-side-bets-and-splits").at(-1);
if (FIRST === undefined || LAST === undefined) throw new Error("nothing is recorded");
const SENT: Stakes[] = [{ main: 1000, pairs: 500 }, { main: 2000 }];

describe("what a table remembers of a round", () => {
  it("is what the house took before the first card, on the seats it was bet from", () => {
    const memory = memoryOf(LAST, { last: {}, round: "", seats: SENT, numbers: [1, 3] });
    expect(memory.last).toEqual({ "1/main": 1000, "1/pairs": 500, "3/main": 2000 });
    expect(memory.numbers).toEqual([1, 3]);
    expect(memory.round).toBe(LAST.id);
  });

  it("stays on those seats as the round goes on", () => {
    const memory = memoryOf(FIRST, { last: {}, round: "", seats: SENT, numbers: [2, 3] });
    expect(memoryOf(LAST, memory).numbers).toEqual([2, 3]);
  });

  it("begins at the first seat for a round this browser did not bet, whatever it bet before", () => {
    const another = { last: { "3/main": 500 }, round: "another-round", seats: SENT, numbers: [2, 3] };
    expect(memoryOf(LAST, another).last).toEqual({ "1/main": 1000, "1/pairs": 500, "2/main": 2000 });
    const unlike = { last: {}, round: "", seats: [{ main: 700 }, { main: 2000 }], numbers: [2, 3] };
    expect(memoryOf(LAST, unlike).numbers).toEqual([1, 2]);
    expect(memoryOf(LAST, NOTHING).numbers).toEqual([1, 2]);
  });
});
