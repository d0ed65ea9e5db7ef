/** The pages in German: nothing is missing, nothing is left in English, and the rule books say the same rules. */

import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { de } from "../src/texts/de/index";
import { en } from "../src/texts/en/index";
import words from "../fixtures/words.json";
import { GAMES } from "./recorded";

/** Where only another language has something to say. */
const OTHERS_ONLY = ["words", "wagers", "groups", "books", "places", "rules.binding", "rules.onlyEnglish", "verify.checks"];

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

  it("has a word for whatever the house says", () => {
    const isName = (said: string): boolean => /^[\dAJQK ]+$/.test(said) || Object.values(GAMES).some((game) => game.name === said) || said === "Blackjack";
    const values = (said: string): boolean => said.split(" ").every((word) => /^(\d+|[AJQK]|joker)$/.test(word)); // the cards of La Pair'e
    expect(words.filter((said) => de.words[said] === undefined && !isName(said) && !values(said))).toEqual([]);
  });

  it("names bets and groups that the games have", () => {
    for (const [game, names] of Object.entries(de.wagers)) {
      const known = GAMES[game]?.wagers.map((wager) => wager.id);
      if (known !== undefined) expect(known).toEqual(expect.arrayContaining(Object.keys(names)));
    }
    const groups = Object.values(GAMES).flatMap((game) => game.wagers.map((wager) => wager.group));
    expect(new Set(Object.keys(de.groups))).toEqual(new Set(groups.filter((group) => group !== "")));
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
