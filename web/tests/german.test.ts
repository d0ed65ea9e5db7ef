/** The pages in German: nothing is missing, nothing is left in English, and the rule books say the same rules. */

import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { de } from "../src/texts/de/index";
import { en } from "../src/texts/en/index";
import type { GameRecord, RoundView, Table } from "../src/api/types";
import { named } from "../src/state/naming";
import { sceneAt } from "../src/state/timeline";
import { said, speak, told } from "../src/texts";
import texts from "../fixtures/texts.json";
import { GAMES, ROUNDS } from "./recorded";

type Rounds = Record<string, RoundView[]>;
type Games = Record<string, GameRecord>;

/** Another English for whatever is sent with a key. */
const OTHER = "in other words";
const KEYED: Record<string, string> = { text: "key", row: "key", name: "key", otherwise: "otherwise_key", group: "group_key" };
function other<Sent>(sent: Sent): Sent {
  if (Array.isArray(sent)) return sent.map(other) as Sent;
  if (typeof sent !== "object" || sent === null) return sent;
  const had = sent as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(had).map(([name, value]) => [name, had[KEYED[name] ?? ""] === undefined ? other(value) : `${OTHER}: ${String(value).length}`]),
  ) as Sent;
}

/** What the page shows of these rounds and games in the house's words that have keys. */
function inWords(rounds: Rounds, games: Games): string[] {
  const views = Object.values(rounds).flat().map((round) => round.view);
  const lines = views.flatMap((view) => view.events.filter((event) => event.event === "said").map(told));
  const hands = views.flatMap((view) => sceneAt(view).hands.map((hand) => hand.name)).filter((name) => !/^(\d+|[AJQK]| |)*$/.test(name));
  const tables = Object.values(games).map((game) => named({ name: "", label: "", game } as Table));
  const wagers = tables.flatMap((table) => table.game.wagers);
  const rows = wagers.flatMap((wager) => [...wager.rows.map((row) => said(row.name, row.key)), said(wager.otherwise, wager.otherwise_key)]);
  return [...lines, ...hands, ...rows, ...wagers.map((wager) => wager.group).filter((group) => group !== "")];
}

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

  it("fills the gaps with the numbers that are sent, in whatever order it names them", async () => {
    await speak("de");
    const event = { event: "said" as const, text: "Banker 3 draws on a 7.", key: "nepal-super-baccarat/says/6", numbers: [3, 7] };
    expect(told(event)).toBe("Banker zieht bei 3 gegen eine 7.");
    expect(told({ ...event, key: "of-a-game-from-elsewhere/says/6" })).toBe(event.text);
    expect(said("pair")).toBe("pair");
    await speak("en");
    expect(told(event)).toBe(event.text);
  });

  it("is found by key: whatever the English has become", async () => {
    await speak("de");
    expect(inWords(other(ROUNDS), other(GAMES))).toEqual(inWords(ROUNDS, GAMES));
    expect(inWords(other(ROUNDS), other(GAMES)).filter((text) => text.includes(OTHER))).toEqual([]);
    await speak("en");
    expect(inWords(other(ROUNDS), other(GAMES)).filter((text) => !text.includes(OTHER))).toEqual([]);
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
