import { describe, expect, it } from "vitest";

import type { GameRecord, TableEvent, View } from "../src/api/types";
import { announced, covered, heartOf, markers, neighboursOf, pokerHand } from "../src/tables/paire";
import { GAMES, lastView } from "./recorded";

const GAME = GAMES["la-paire"] as GameRecord;
const IDS = GAME.wagers.map((wager) => wager.id);
const BETWEEN = IDS.filter((id) => /^(split|three|corner)-/.test(id));

/** How often each hand comes, as the rule book's own test counts it over the whole pack. */
const COUNTS = {
  "two Jokers": 52,
  "mini royal": 28,
  "straight flush": 220,
  "three of a kind": 208,
  straight: 1320,
  flush: 1520,
  "": 17712 + 3744,
};

/** A view with these cards turned up. */
function turned(...faces: string[]): View {
  const events: TableEvent[] = faces.map((card) => ({ event: "turned-up", at: "card", card }));
  return { ...lastView("la-paire-three-sevens").view, events };
}

describe("an enlarged neighbourhood", () => {
  it.each(BETWEEN)("%s is in the one it opens, beside all its values", (wager) => {
    const cells = neighboursOf(heartOf(wager, IDS), IDS);
    expect(cells.map((cell) => cell.wager)).toContain(wager);
    for (const value of covered(wager)) expect(cells.map((cell) => cell.wager)).toContain(`card-${value}`);
    const places = cells.filter((cell) => !cell.tall).map(({ column, row }) => `${column}/${row}`);
    expect(new Set(places).size).toBe(places.length);
  });

  it("has nine bets around a corner and seven at an end", () => {
    expect(neighboursOf("corner-2-3-8-9", IDS)).toHaveLength(9);
    expect(neighboursOf("three-7-K-joker", IDS)).toHaveLength(7);
  });
});

describe("what the dealer announces", () => {
  it("names the first card, the pair and the poker hand", () => {
    const view = turned("7h", "7c", "7d");
    expect([1, 2, 3].map((shown) => announced(view, shown, GAME))).toEqual([
      "First card: 7",
      "La Pair'e: a pair of 7s",
      "Poker hand: three of a kind",
    ]);
    expect(announced(turned("Kh", "2c", "9d"), 3, GAME)).toBe("No poker hand");
    expect(announced(turned("X1"), 1, GAME)).toBe("First card: Joker");
  });

  it("marks the second set only after a pair, and only where the table has one", () => {
    expect(markers(turned("7h", "7c"), 2, GAME)).toEqual({ first: "7", second: "7" });
    expect(markers(turned("7h", "8c"), 2, GAME)).toEqual({ first: "7", second: null });
    const anyOnly = { ...GAME, wagers: GAME.wagers.filter((wager) => !wager.id.startsWith("paire-")) };
    expect(markers(turned("7h", "7c"), 2, anyOnly)).toEqual({ first: "7", second: null });
  });

  it("finds every poker hand of the 24,804 as often as the rule book does", () => {
    const pack = ["X1", "X2", ...["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"].flatMap((rank) => [..."cdhs"].map((suit) => rank + suit))];
    const found: Record<string, number> = {};
    for (let a = 0; a < 54; a++)
      for (let b = a + 1; b < 54; b++)
        for (let c = b + 1; c < 54; c++) {
          const name = pokerHand([pack[a] as string, pack[b] as string, pack[c] as string], GAME);
          found[name] = (found[name] ?? 0) + 1;
        }
    expect(found).toEqual(COUNTS);
  });
});
