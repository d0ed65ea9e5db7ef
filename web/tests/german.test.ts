/** The pages in German: nothing is missing, nothing is left in English, and the rule books say the same rules. */

import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { de } from "../src/texts/de/index";
import { en } from "../src/texts/en/index";
import { translator } from "../src/texts/house";
import texts from "../fixtures/texts.json";
import { GAMES } from "./recorded";

/** Where only another language has something to say. */
const OTHERS_ONLY = ["houseTexts", "wagers", "charts", "books", "places", "rules.binding", "rules.onlyEnglish", "verify.checks"];

/** Every text with its key, "table.lobby"; a sentence with gaps as its name alone. */
function leaves(texts: unknown, key = ""): [string, string][] {
  if (OTHERS_ONLY.includes(key)) return [];
  if (typeof texts === "string") return [[key, texts]];
  if (typeof texts === "function") return [[key, ""]];
  return Object.entries(texts as object).flatMap(([name, value]) => leaves(value, key === "" ? name : `${key}.${name}`));
}

/** Names of games, bets and things that German players call the same, and signs. */
const SAME = new Set(
  ("Pairhouse Lobby Name Normal Turbo Chips Player Banker Tie Joker Marker Poker Bonus = Ante Progressive Blackjack Blackjack! Jackpot! Fairness " +
    "Lucky 6 Any Pair'e La Pair'e Card First Card PAIR Blackjack Three Card Poker Nepal Super Baccarat La Pair'e Blackjack, Poker & Pairs Live Limit").split(" "),
);
const isSame = (text: string): boolean => text.split(" ").every((word) => SAME.has(word) || !/[a-z]{2}/i.test(word));

describe("German", () => {
  it("has every key of English and no other", () => {
    expect(leaves(de).map(([key]) => key).sort()).toEqual(leaves(en).map(([key]) => key).sort());
  });

  it("leaves nothing in English", () => {
    const german = new Map(leaves(de));
    const left = leaves(en).filter(([key, text]) => text !== "" && german.get(key) === text && !isSame(text));
    expect(left.filter(([key]) => !/^(locale|tours\..*\.(at|cards)|letters\.|live\.|keys\.list)/.test(key))).toEqual([]);
  });

  it("has a text for every key of the house and no other", () => {
    expect(Object.keys(de.houseTexts).sort()).toEqual(Object.keys(texts).sort());
    const gaps = (text: string): string => (text.match(/\{[01]\}/g) ?? []).sort().join("");
    const others = Object.entries(texts).filter(([key, text]) => gaps(text) !== gaps(de.houseTexts[key] ?? ""));
    expect(others).toEqual([]);
  });

  it("is found by key: whatever the English sentence has become", () => {
    const changed = { ...texts, "blackjack/says/7": "Too many for the dealer: {0}.", "three-card-poker/rows/pairplus/5": "two alike" };
    const german = translator(changed, de.houseTexts);
    expect(german("Too many for the dealer: 24.", "blackjack")).toBe("Der Geber überkauft sich mit 24.");
    expect(german("two alike", "three-card-poker")).toBe("Paar");
    expect(german("Banker 3 draws on a 7.", "nepal-super-baccarat")).toBe("Banker zieht bei 3 gegen eine 7.");
    expect(german("A sentence of a game from elsewhere.", "")).toBe("A sentence of a game from elsewhere.");
  });

  it("says of each game what its own key says", () => {
    const german = translator({ "one/rows/a/0": "pair", "two/rows/a/0": "pair" }, { "one/rows/a/0": "Paar", "two/rows/a/0": "Pärchen" });
    expect(["one", "two", "three"].map((game) => german("pair", game))).toEqual(["Paar", "Pärchen", "Paar"]);
  });

  it("names bets that the games have", () => {
    for (const [game, names] of Object.entries(de.wagers)) {
      const known = GAMES[game]?.wagers.map((wager) => wager.id);
      if (known !== undefined) expect(known).toEqual(expect.arrayContaining(Object.keys(names)));
    }
  });
});

describe("a German rule book", () => {
  const rules = (book: string): string[] => book.match(/\*\*\[[A-Z0-9]+-\d+\]\*\*/g) ?? [];
  const code = (book: string): string[] => (book.match(/`[^`\n]+`/g) ?? []).filter((word) => word !== "`paire-`");
  const prices = (book: string): string[] => (book.match(/\| \d+ (to|zu) \d+(?= \|$)/gm) ?? []).map((price) => price.replace("zu", "to"));
  const rulings = (book: string): string[] => (book.match(/\((?:ruling|Auslegung) \d+\)/g) ?? []).map((ruling) => ruling.replace(/\D/g, ""));

  it.each(Object.entries(de.books))("has the rules, names and prices of its English one: %s", async (game, read) => {
    const english = readFileSync(new URL(`../../docs/rules/${game}.md`, import.meta.url), "utf-8");
    const german = await read();
    for (const found of [rules, prices, rulings]) expect(found(german)).toEqual(found(english));
    expect(code(german).sort()).toEqual(code(english).sort());
  });

  it("is there for every game with tours", () => {
    expect(Object.keys(de.books)).toEqual(expect.arrayContaining(Object.keys(de.tours)));
  });
});
