import { describe, expect, it } from "vitest";

import type { LiveEntry, LiveNews, LiveView, RoundView } from "../src/api/types";
import { coupOf, shoeOf } from "../src/state/coups";
import { betsLying, colourOf, hasLostSeat, lateSeats, nameOf, roundOf, wordsOf } from "../src/state/live";
import { commitmentOf } from "../src/state/seed";
import { sceneAt } from "../src/state/timeline";

/** Two people at Three Card Poker, seen from seat 5, which has played; seat 2 was too late. */
const view = {
  round_id: "R",
  game: "three-card-poker",
  phase: "playing",
  seat: 5,
  commitment: "c",
  seats: [
    { seat: 2, name: "anna", stakes: { ante: 500 }, result: { ante: { stake: 500, returned: 0, row: "fold" } } },
    { seat: 5, name: "bert", stakes: { ante: 500 }, result: { ante: { stake: 500, returned: null, row: null }, play: { stake: 500, returned: null, row: null } } },
  ],
  events: [
    { event: "dealt", seat: 2, hand: 1, card: null },
    { event: "dealt", seat: 5, hand: 1, card: "7h" },
    { event: "chosen", seat: 2, hand: 1, choice: "fold" },
    { event: "chosen", seat: 5, hand: 1, choice: "play", wager: "play", stake: 500 },
  ],
  hands: [],
  automatic: [1],
} as unknown as LiveView;
const news = (entry: Partial<LiveEntry>): string => wordsOf({ at: 0, entry: "", ...entry }, { view } as LiveNews);

describe("a live round as the felts read it", () => {
  it("keeps the table's own seat numbers and sums up what is the reader's", () => {
    const round = roundOf(view, "table", 0);
    expect([round.staked, round.state, round.choices]).toEqual([1000, "open", ["play"]]);
    const scene = sceneAt(round.view);
    expect(scene.bets.map(({ seat, wager, stake }) => [seat, wager, stake])).toEqual([[2, "ante", 500], [5, "ante", 500], [5, "play", 500]]);
    expect(scene.hands.map(({ seat, cards }) => [seat, cards[0]?.face])).toEqual([[2, null], [5, "7h"]]);
  });

  it("asks only the one whose turn it is", () => {
    const turn = { seat: 5, hand: 1, number: 1, options: ["play", "fold"], costs: { play: 500 } };
    expect(roundOf({ ...view, turn }, "table", 0).view.awaiting).toEqual({ seat: 5, hand: 1, options: ["play", "fold"], costs: { play: 500 } });
    expect(roundOf({ ...view, turn: { seat: 2, hand: 1, number: 0 } }, "table", 0).view.awaiting).toBeNull();
  });

  it("a void round has won and lost nothing", () => {
    const round = roundOf({ ...view, phase: "closed", void: "malfunction" }, "table", 0);
    expect([round.state, round.net]).toEqual(["void", 0]);
  });

  it("knows who was too late", () => expect(lateSeats(view)).toEqual([2]));
});

describe("what the table is told", () => {
  it("says in a sentence what the felt does not show", () => {
    expect(news({ entry: "choice", seat: 2, word: "fold", automatic: true })).toBe("anna's time ran out: Fold.");
    expect(news({ entry: "choice", seat: 5, word: "fold", automatic: true })).toBe("Your time ran out: Fold.");
    expect(news({ entry: "void", reason: "misdeal", cards: 4 })).toContain("Misdeal: 4 cards dealt.");
    expect(news({ entry: "exposed", card: 2 })).toContain("7 of hearts");
    expect(news({ entry: "corrected" })).toContain("corrected");
    expect(news({ entry: "bet", seat: 2 })).toBe("");
  });

  it("shows no id of a guest, and a colour for every seat", () => {
    expect(nameOf("guest-01abcxyz")).toBe("Guest XYZ");
    expect(nameOf("anna")).toBe("anna");
    expect(new Set([1, 2, 3, 4, 5, 6, 7].map(colourOf)).size).toBe(7);
    expect(colourOf(8)).toBe(colourOf(1));
  });
});

describe("seeds and coups", () => {
  it("commits to a seed by its SHA-256", async () => {
    expect(await commitmentOf("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  });

  it("reads a coup off its cards", () => {
    const hands = [{ at: "Player", cards: ["Kh", "9c"] }, { at: "Banker", cards: ["4d", "4s"] }];
    const coup = coupOf({ id: "R", view: { hands } } as unknown as RoundView);
    expect(coup).toMatchObject({ winner: "player", player_total: 9, banker_total: 8, player_pair: false, banker_pair: true });
    expect(coupOf({ id: "R", view: { hands: [] } } as unknown as RoundView)).toBeNull();
  });
});

describe("the shoe of a live table", () => {
  const results = [{ winner: "player" }, { winner: "tie" }, { winner: "banker" }];
  const shown = (coup: number, isShown: boolean) =>
    shoeOf({ ...view, shoe: { number: 4, coup, cards: 416, left: 400, cut_card: 208, is_last: false, results } } as unknown as LiveView, isShown);

  it("keeps the coup on the felt from the roads until it was shown", () => {
    expect(shown(3, false)?.coups.map((coup) => coup.winner)).toEqual(["player", "tie"]);
    expect(shown(3, true)?.coups.map((coup) => coup.winner)).toEqual(["player", "tie", "banker"]);
    expect(shown(4, false)?.coups.map((coup) => coup.round)).toEqual(["4-1", "4-2", "4-3"]);
    expect(shown(4, false)?.shoe).toEqual({ number: 4, cards: 416, dealt: 16, cut_card: 208, last_round: false, finished: false });
    expect(shoeOf(view, true)).toBeNull();
  });
});

describe("who sits and bets", () => {
  it("knows a seat that is gone and the bets of all", () => {
    const at = (seat: number | null): LiveNews => ({ view: { ...view, seat } }) as LiveNews;
    expect([hasLostSeat(at(5), at(null)), hasLostSeat(at(5), at(5)), hasLostSeat(at(null), at(null))]).toEqual([true, false, false]);
    expect(betsLying(view).map(({ seat, wager, stake }) => [seat, wager, stake])).toEqual([[2, "ante", 500], [5, "ante", 500]]);
  });
});
