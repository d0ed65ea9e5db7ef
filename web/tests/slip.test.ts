import fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { Limits } from "../src/api/types";
import * as slips from "../src/state/slip";
import { GAMES } from "./recorded";

const LIMITS: Limits = {
  minimum: 100,
  maximum: 50_000,
  unit: 100,
  chips: [100, 500, 2500],
  round_maximum: 1_000_000,
  payout_maximum: 1_000_000,
  wager_maximum: {},
  total_maximum: {},
};
const HOUSE: slips.House = {
  limits: LIMITS,
  wagers: [
    ...(GAMES["blackjack-poker-pairs"]?.wagers ?? []),
    { id: "progressive", name: "", group: "", rules: "", rows: [], otherwise: "", otherwise_key: "", stake_fixed: 100 },
  ],
  balance: 100_000,
};
const MAIN = slips.square(1, "main");

function does(moved: slips.Moved): slips.Slip {
  if ("objection" in moved) throw new Error(`refused: ${moved.objection.kind}`);
  return moved.slip;
}
const refuses = (moved: slips.Moved): string => ("objection" in moved ? moved.objection.kind : "nothing was refused");
const bet = (slip: slips.Slip, stake: number, at = MAIN): slips.Slip => does(slips.place(slip, HOUSE, at, stake));

describe("betting commands mean what the rule book says [BPP-11 to BPP-20]", () => {
  it("a press adds a chip of the value in hand", () => {
    expect(bet(bet(slips.EMPTY, 500), 100).bets).toEqual({ [MAIN]: 600 });
  });

  it("UNDO takes back the bet placed last, then the one before; a doubling counts as one", () => {
    const doubled = does(slips.double(bet(bet(slips.EMPTY, 500), 100), HOUSE));
    expect(doubled.bets).toEqual({ [MAIN]: 1200 });
    const once = does(slips.undo(doubled));
    const twice = does(slips.undo(once));
    expect([once.bets, twice.bets]).toEqual([{ [MAIN]: 600 }, { [MAIN]: 500 }]);
    expect(refuses(slips.undo(does(slips.undo(twice))))).toBe("nothing");
  });

  it("a wager may have a maximum of its own, and a closed one takes nothing", () => {
    const [pairs, poker] = [slips.square(1, "pairs"), slips.square(1, "poker")];
    const narrow = { ...HOUSE, limits: { ...LIMITS, wager_maximum: { pairs: 500, poker: 0 } } };
    const full = does(slips.place(bet(slips.EMPTY, 500), narrow, pairs, 500));
    expect(slips.place(full, narrow, pairs, 100)).toMatchObject({ objection: { kind: "over-limit", high: 500 } });
    expect(slips.place(full, narrow, poker, 100)).toMatchObject({ objection: { kind: "over-limit", high: 0 } });
  });

  it("CLEAR takes all bets off, and UNDO brings them back", () => {
    const cleared = does(slips.clear(bet(slips.EMPTY, 500)));
    expect(cleared.bets).toEqual({});
    expect(does(slips.undo(cleared)).bets).toEqual({ [MAIN]: 500 });
  });

  it("REBET places the bets of the last game, DOUBLE REBET twice as much, fixed stakes as they are", () => {
    const fixed = slips.square(1, "progressive");
    const after = slips.dealt(bet(bet(slips.EMPTY, 500), 100, fixed).bets);
    expect(after.bets).toEqual({});
    expect(does(slips.rebet(after, HOUSE)).bets).toEqual({ [MAIN]: 500, [fixed]: 100 });
    expect(does(slips.rebet(after, HOUSE, 2)).bets).toEqual({ [MAIN]: 1000, [fixed]: 100 });
    expect(refuses(slips.rebet(slips.EMPTY, HOUSE))).toBe("nothing");
  });

  it("a command that breaks a limit or costs more than the balance changes nothing", () => {
    const much = bet(slips.EMPTY, 50_000);
    expect(refuses(slips.place(much, HOUSE, MAIN, 100))).toBe("over-limit");
    expect(refuses(slips.double(much, HOUSE))).toBe("over-limit");
    const all = bet(much, 50_000, slips.square(2, "main"));
    expect(refuses(slips.place(all, HOUSE, slips.square(3, "main"), 100))).toBe("no-funds");
  });

  it("taking back removes a chip, and the whole bet where less than the minimum would stay", () => {
    const lying = bet(slips.EMPTY, 600);
    expect(does(slips.takeBack(lying, HOUSE, MAIN, 500)).bets).toEqual({ [MAIN]: 100 });
    expect(does(slips.takeBack(lying, HOUSE, MAIN, 2500)).bets).toEqual({});
    expect(refuses(slips.takeBack(slips.EMPTY, HOUSE, MAIN, 100))).toBe("nothing");
  });

  it("taking the main bet back takes its side bets along, on that seat only", () => {
    const pairs = slips.square(1, "pairs");
    const other = slips.square(2, "pairs");
    const lying = bet(bet(bet(bet(slips.EMPTY, 500), 100, pairs), 500, slips.square(2, "main")), 100, other);
    const taken = does(slips.takeBack(lying, HOUSE, MAIN, 500));
    expect(taken.bets).toEqual({ [slips.square(2, "main")]: 500, [other]: 100 });
    expect(does(slips.undo(taken)).bets).toEqual(lying.bets);
  });

  it("one of several First Card bets may go; the last takes Red along", () => {
    const house = { ...HOUSE, wagers: GAMES["la-paire"]?.wagers ?? [] };
    const at = (wager: string): string => slips.square(1, wager);
    let slip = slips.EMPTY;
    for (const wager of ["card-A", "split-2-3", "red"]) slip = does(slips.place(slip, house, at(wager), 500));
    slip = does(slips.takeBack(slip, house, at("card-A"), 500));
    expect(slip.bets).toEqual({ [at("split-2-3")]: 500, [at("red")]: 500 });
    expect(does(slips.takeBack(slip, house, at("split-2-3"), 500)).bets).toEqual({});
  });

  it("knows the seats whose side bets still need the bet that opens a game", () => {
    const lying = bet(bet(bet(slips.EMPTY, 100, slips.square(3, "poker")), 500), 100, slips.square(2, "pairs"));
    expect(slips.seatsWithoutOpener(lying.bets, HOUSE)).toEqual([2, 3]);
    expect(slips.seatsWithoutOpener(bet(slips.EMPTY, 500).bets, HOUSE)).toEqual([]);
  });

  it("refuses more than a game may hold in all", () => {
    const house = { ...HOUSE, limits: { ...LIMITS, round_maximum: 1000 } };
    const lying = does(slips.place(slips.EMPTY, house, MAIN, 900));
    expect(refuses(slips.place(lying, house, slips.square(2, "main"), 500))).toBe("over-round");
  });

  it("DOUBLE REBET over a limit is refused as a whole", () => {
    expect(refuses(slips.rebet(slips.dealt({ [MAIN]: 30_000 }), HOUSE, 2))).toBe("over-limit");
  });

  it("lays kept bets again only where the table takes every one of them", () => {
    expect(slips.stillTaken({ [MAIN]: 500 }, HOUSE)).toEqual({ [MAIN]: 500 });
    expect(slips.stillTaken({ [MAIN]: 50 }, HOUSE)).toEqual({});
    expect(slips.stillTaken({ [MAIN]: 500, "1/no-such-bet": 500 }, HOUSE)).toEqual({});
    expect(slips.stillTaken({ [MAIN]: 500, "1/insurance": 250 }, HOUSE)).toEqual({});
    expect(slips.stillTaken({ [MAIN]: 200_000 }, HOUSE)).toEqual({});
  });

  it("gives the server only the seats that hold bets, in order", () => {
    const slip = bet(bet(slips.EMPTY, 500, slips.square(3, "main")), 100, MAIN);
    expect(slips.wagers(slip.bets)).toEqual({ seats: [{ main: 100 }, { main: 500 }], numbers: [1, 3] });
  });
});

it("whatever is pressed, the bets stay within limits and balance, and UNDO leads back to an empty layout", () => {
  const act = fc.tuple(fc.constantFrom("place", "takeBack", "double", "clear"), fc.integer({ min: 1, max: 3 }), fc.constantFrom(...LIMITS.chips));
  fc.assert(
    fc.property(fc.array(act, { maxLength: 30 }), (acts) => {
      let slip = slips.EMPTY;
      for (const [what, seat, chip] of acts) {
        const at = slips.square(seat, "main");
        const moved = {
          place: () => slips.place(slip, HOUSE, at, chip),
          takeBack: () => slips.takeBack(slip, HOUSE, at, chip),
          double: () => slips.double(slip, HOUSE),
          clear: () => slips.clear(slip),
        }[what as "place"]();
        if ("slip" in moved) slip = moved.slip;
        expect(slips.total(slip.bets)).toBeLessThanOrEqual(HOUSE.balance);
        expect(Object.values(slip.bets).every((stake) => stake >= 100 && stake <= 50_000)).toBe(true);
      }
      while (slip.steps.length > 0) slip = does(slips.undo(slip));
      expect(slip.bets).toEqual({});
    }),
  );
});
