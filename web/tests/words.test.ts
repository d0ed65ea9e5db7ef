import { describe, expect, it } from "vitest";

import { Refused } from "../src/api/client";
import type { Awaiting, GameRecord } from "../src/api/types";
import { question, whyNot } from "../src/state/prompt";
import { reasonOf } from "../src/state/refusal";
import { routeOf } from "../src/state/route";
import type { SceneHand } from "../src/state/timeline";
import { t } from "../src/texts";
import { GAMES } from "./recorded";

const hand = (name: string, ...faces: (string | null)[]): SceneHand => ({
  at: null,
  seat: 1,
  hand: 1,
  cards: faces.map((face, id) => ({ id, face })),
  name,
});
const asks = (options: string[], costs: Record<string, number> = {}): Awaiting => ({ seat: 1, hand: 1, options, costs }) as Awaiting;
const words = (about: Omit<Parameters<typeof question>[0], "game">): string => {
  const { about: subject, ask } = question({ game: GAMES["three-card-poker"] as GameRecord, ...about });
  return ask === "" ? subject : `${subject}: ${ask}`;
};

describe("the prompt line", () => {
  const dealer = hand("", "6s", null);

  it("asks in words", () => {
    const mine = hand("17", "10h", "7c");
    expect(words({ awaiting: asks(["stand", "hit"]), hand: mine, dealer, seat: null, hands: 1 })).toBe(
      "Your 17 against a 6: hit or stand?",
    );
    expect(words({ awaiting: asks(["stand", "hit", "double"]), hand: mine, dealer, seat: 2, hands: 1 })).toBe(
      "Seat 2: your 17 against a 6: hit, stand or double?",
    );
    expect(words({ awaiting: asks(["stand", "hit"]), hand: mine, dealer, seat: 2, hands: 3 })).toBe(
      "Seat 2, hand 1 of 3: your 17 against a 6: hit or stand?",
    );
  });

  it("asks for insurance with its cost, and for Play without the dealer's hidden cards", () => {
    const insurance = asks(["insurance", "no-insurance"], { insurance: 500 });
    expect(words({ awaiting: insurance, hand: hand("19"), dealer, seat: null, hands: 1 })).toBe("Insurance against the ace, 5.00?");
    const hidden = hand("", null, null, null);
    expect(words({ awaiting: asks(["play", "fold"]), hand: hand("three sixes"), dealer: hidden, seat: null, hands: 1 })).toBe(
      "Your three sixes: play or fold?",
    );
  });

  it("names every choice, also one it has no word for", () => {
    const awaiting = asks(["raise", "fold"]);
    expect(words({ awaiting, hand: hand("pair of fives"), dealer: undefined, seat: null, hands: 1 })).toBe(
      "Your pair of fives: fold or raise?",
    );
  });

  it("says why a choice cannot be made", () => {
    expect(whyNot("split", hand("16", "10h", "6c"))).toBe(t.why.noPair);
    expect(whyNot("split", hand("20", "Kh", "10c"))).toBe(t.why.noMoreSplits);
    expect(whyNot("double", hand("16", "2h", "6c", "8d"))).toBe(t.why.firstTwo);
  });
});

describe("a refusal", () => {
  it("is told by its code, and never in the server's own words", () => {
    const refused = (code: string, error: string): string => reasonOf(new Refused(400, { code, error }));
    expect(refused("no-opening-wager", "seat 1 needs a wager on card-A, ... or corner-6-7-Q-K")).toBe(t.refusals["no-opening-wager"]);
    expect(refused("http-405", "Method Not Allowed")).toBe(t.problem);
    expect(refused("bad-request", "must match ^[A-Za-z0-9]+$")).toBe(t.problem);
    expect(reasonOf(new TypeError("x is undefined"))).toBe(t.problem);
  });
});

describe("an address", () => {
  it("names a page, what it shows and the sheet over it", () => {
    expect(routeOf("#/table/la-paire/rules")).toEqual({ page: "table", id: "la-paire", sheet: "rules" });
    expect(routeOf("#/history")).toEqual({ page: "history", id: "", sheet: "" });
  });

  it("that cannot be read leads to the lobby", () => {
    for (const hash of ["", "#/", "#/table", "#/table/", "#/table/%E0%A4%A", "#/replay/"]) {
      expect(routeOf(hash)).toEqual({ page: "", id: "", sheet: "" });
    }
  });
});
