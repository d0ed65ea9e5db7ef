import { describe, expect, it } from "vitest";

import type { Action, GameRecord, Wager } from "../src/api/types";
import { keyOf } from "../src/parts/keys";
import { choiceName, feltOf, keepers, openerName, paidRows, printedTables, sectionsOf, spotName, spotNote, thrown, tourOf } from "../src/tables/anygame";
import { GAMES, lastView } from "./recorded";

const wager = (id: string, more: Partial<Wager> = {}): Wager => ({
  id,
  name: id.charAt(0).toUpperCase() + id.slice(1),
  group: "",
  rules: "",
  rows: [{ name: "wins", key: "of-my-own/rows/0", pays: "1" }],
  otherwise: "no win",
  otherwise_key: "of-my-own/rows/1",
  ...more,
});
const game = (wagers: Wager[], actions: Action[] = []): GameRecord => ({
  ...(GAMES["three-card-poker"] as GameRecord),
  id: "of-my-own",
  places: ["dealer"],
  wagers,
  actions,
  choices: actions.map(({ name }) => name),
});
const war = game(
  [wager("ante", { opens: true }), wager("tie", { opens: false }), wager("war", { follows: "ante", stake: "1" })],
  [{ name: "surrender", key: "s" }, { name: "go", key: "w", wager: "war" }],
);

describe("the felt of any game", () => {
  it("is taken by games without one of their own", () => {
    expect(Object.values(GAMES).map(feltOf)).not.toContain("any");
    expect(feltOf(war)).toBe("any");
    const blackjack = GAMES["pair-v3"] as GameRecord;
    const sides = ["one", "two", "three"].map((id) => wager(id, { opens: false }));
    const main = blackjack.wagers.filter(({ id }) => id === "main");
    expect(feltOf({ ...blackjack, id: "mine", wagers: [...main, ...sides.slice(1)] })).toBe("blackjack");
    expect(feltOf({ ...blackjack, id: "mine", wagers: [...main, ...sides] })).toBe("any");
  });

  it("lays main bets first, what a choice adds beside its bet, and groups under their names", () => {
    const grouped = game([wager("tie", { opens: false }), ...war.wagers.filter(({ id }) => id !== "tie"), wager("on 5", { group: "On", opens: false })]);
    expect(sectionsOf(grouped).map(({ title, wagers }) => [title, wagers.map(({ id }) => id)])).toEqual([
      ["Main bets", ["ante", "war"]],
      ["Side bets", ["tie"]],
      ["On", ["on 5"]],
    ]);
    expect(spotName(wager("on 5", { group: "On" }))).toBe("5");
    expect(war.wagers.map((one) => spotNote(war, one))).toEqual(["1 to 1", "1 to 1", "as much as Ante"]);
  });

  it("prints long tables, the same one once", () => {
    const rows = ["1", "2", "3"].map((pays) => ({ name: pays, key: pays, pays }));
    expect(printedTables(game([wager("a", { rows }), wager("b", { rows }), wager("c")])).map(({ id }) => id)).toEqual(["a"]);
  });

  it("names and keys choices by what the game says", () => {
    expect(["surrender", "go"].map((word) => [choiceName(war, word), keyOf(war, word)])).toEqual([["Surrender", "s"], ["War", "w"]]);
    expect(openerName(war)).toBe("Ante");
    expect(keyOf(GAMES["pair-v3"] as GameRecord, "surrender")).toBe("g");
  });

  it("has cards held where every choice says what it keeps", () => {
    const kept = [[], [0], [1], [0, 1]];
    const draw = game([wager("bet", { opens: true })], kept.map((keeps, at) => ({ name: `keep-${at}`, key: String(at), keeps })));
    expect(keepers(war)).toBeNull();
    expect(keepers(draw)?.get("keep-2")).toEqual([1]);
    const isThrown = thrown(draw, { ...lastView("baccarat-six-cards"), choices: ["keep-2"] });
    expect([0, 1, 2].map(isThrown)).toEqual([true, false, false]);
  });

  it("says what was paid for, and nothing of what lost", () => {
    const view = lastView("baccarat-six-cards");
    const settled = (id: string, row: string, key: string) => ({ event: "settled" as const, seat: 1, hand: 1, wager: id, stake: 1, returned: 2, row, key });
    const round = { ...view, view: { ...view.view, events: [settled("ante", "higher", "of-my-own/rows/0"), settled("tie", "no win", "of-my-own/rows/1")] } };
    expect(paidRows(round, war)).toBe("Ante: higher");
  });

  it("shows a newcomer the bets, the choices and the deal", () => {
    globalThis.CSS = { escape: (text: string) => text } as typeof CSS;
    expect(tourOf(war).map(({ at }) => at)).toEqual(['.about', ".rack", '.spot[data-wager="ante"]', '.spot[data-wager="tie"]', "[data-prompt]", ".actions"]);
  });
});
