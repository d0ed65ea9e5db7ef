import { describe, expect, it } from "vitest";

import type { TableEvent } from "../src/api/types";
import { openingBets, pauseAfter, sceneAt } from "../src/state/timeline";
import { lastView, ROUNDS, viewsOf } from "./recorded";

const NAMES = Object.keys(ROUNDS);

describe("every recorded round", () => {
  it.each(NAMES)("%s: the last scene lays the cards where the server says they lie", (name) => {
    for (const { view } of viewsOf(name)) {
      const scene = sceneAt(view);
      const laid = scene.hands.map(({ at, seat, hand, cards, name: called }) => ({
        where: at ?? `${seat}/${hand}`,
        cards: cards.map((card) => card.face),
        called,
      }));
      const told = view.hands.map((hand) => ({
        where: hand.at ?? `${hand.seat}/${hand.hand}`,
        cards: hand.cards,
        called: hand.name ?? "",
      }));
      expect(laid).toHaveLength(told.length);
      for (const hand of told) expect(laid).toContainEqual(hand);
    }
  });

  it.each(NAMES)("%s: stakes and returns on the felt are the server's", (name) => {
    const round = lastView(name);
    const scene = sceneAt(round.view);
    round.view.wagers.forEach((wagers, index) => {
      for (const [wager, bet] of Object.entries(wagers)) {
        const lying = scene.bets.filter((one) => one.seat === index + 1 && one.wager === wager);
        expect(lying.reduce((sum, one) => sum + one.stake, 0)).toBe(bet.stake);
        expect(lying.reduce((sum, one) => sum + (one.returned ?? 0), 0)).toBe(bet.returned);
      }
    });
  });

  it.each(NAMES)("%s: each choice only adds to the timeline", (name) => {
    const views = viewsOf(name);
    views.slice(1).forEach((later, index) => {
      const before = views[index]?.view.events ?? [];
      const kept = later.view.events.slice(0, before.length);
      expect(kept).toEqual(before);
    });
  });

  it.each(NAMES)("%s: a card keeps its number and is never taken back", (name) => {
    const { view } = lastView(name);
    let before = new Set<number>();
    for (let shown = 0; shown <= view.events.length; shown++) {
      const now = new Set(sceneAt(view, shown).hands.flatMap((hand) => hand.cards.map((card) => card.id)));
      for (const id of before) expect(now).toContain(id);
      before = now;
    }
  });

  it.each(NAMES)("%s: nothing is won before its event is shown", (name) => {
    const { view } = lastView(name);
    const first = view.events.findIndex((event) => event.event === "settled");
    expect(sceneAt(view, first).bets.every((bet) => bet.returned === null)).toBe(true);
    expect(sceneAt(view, first + 1).settledNow).not.toBeNull();
  });
});

describe("splitting", () => {
  const { view } = lastView("blackjack-side-bets-and-splits");
  const at = (kind: string, nth: number): number =>
    view.events.flatMap((event, index) => (event.event === kind ? [index] : []))[nth] as number;

  it("moves the second card and a stake of its own to a new hand", () => {
    const scene = sceneAt(view, at("split", 0) + 1);
    expect(scene.hands.filter((hand) => hand.seat === 1).map((hand) => hand.cards.map((card) => card.face))).toEqual([
      ["8h"],
      ["8s"],
    ]);
    expect(scene.bets.filter((bet) => bet.wager === "main" && bet.seat === 1).map((bet) => bet.stake)).toEqual([
      1000, 1000,
    ]);
  });

  it("puts a hand split again in place of the first, and keeps the order", () => {
    const hands = sceneAt(view, at("split", 1) + 1).hands.filter((hand) => hand.seat === 1);
    expect(hands.map((hand) => hand.cards[0]?.face)).toEqual(["8h", "8c", "8s"]);
  });

  it("adds the stake to the hand that is split, until the new hand lies there", () => {
    const chosen = view.events.findIndex((event) => event.event === "chosen" && event.choice === "split");
    expect(view.events[chosen]).toMatchObject({ wager: "main", stake: 1000 });
    const main = (count: number) => sceneAt(view, count).bets.filter((bet) => bet.wager === "main" && bet.seat === 1);
    expect(main(chosen).map((bet) => [bet.hand, bet.stake])).toEqual([[1, 1000]]);
    expect(main(chosen + 1).map((bet) => [bet.hand, bet.stake])).toEqual([[1, 2000]]);
    expect(main(chosen + 2).map((bet) => [bet.hand, bet.stake])).toEqual([
      [1, 1000],
      [2, 1000],
    ]);
  });

  it("doubles only the hand that doubled", () => {
    const stakes = sceneAt(view).bets.filter((bet) => bet.wager === "main" && bet.seat === 1);
    expect(stakes.sort((a, b) => a.hand - b.hand).map((bet) => bet.stake)).toEqual([2000, 1000, 1000]);
  });

  it("knows what was staked before the first card", () => {
    expect(openingBets(view).map(({ seat, wager, stake }) => [seat, wager, stake])).toEqual([
      [1, "main", 1000],
      [1, "pairs", 500],
      [2, "main", 2000],
    ]);
  });
});

describe("other games", () => {
  it("settles PAIR from the last seat to the first", () => {
    const order = lastView("pair-right-to-left").view.events.filter((event) => event.wager === "pair");
    expect(order.map((event) => event.seat)).toEqual([2, 1]);
  });

  it("turns La Pair'e cards one at a time", () => {
    const { view } = lastView("la-paire-three-sevens");
    const faces = (shown: number) => sceneAt(view, shown).hands.map((hand) => hand.cards[0]?.face);
    expect(faces(3)).toEqual([null, null, null]);
    expect(faces(4)).toEqual(["7h", null, null]);
  });

  it("lays insurance and Play beside the first stake", () => {
    expect(sceneAt(lastView("blackjack-insurance").view).bets.map((bet) => [bet.wager, bet.stake])).toEqual([
      ["main", 1000],
      ["insurance", 500],
    ]);
    const play = sceneAt(lastView("three-card-poker-play").view).bets;
    expect(play.find((bet) => bet.wager === "play")?.stake).toBe(1000);
    expect(play.find((bet) => bet.wager === "ante-bonus")).toMatchObject({ stake: 0, returned: 4000 });
  });

  it("books a choice on the wager that its event names, whatever the choice is called", () => {
    const { view } = lastView("three-card-poker-play");
    const renamed = view.events.map((event) =>
      event.event === "chosen" ? { ...event, choice: "raise", wager: "raise-bet" } : event,
    );
    const scene = sceneAt({ ...view, events: renamed.filter((event) => event.event !== "settled") });
    expect(scene.bets.find((bet) => bet.wager === "raise-bet")?.stake).toBe(1000);
  });

  it("gives every stake back when the round is void", () => {
    const { view } = viewsOf("blackjack-side-bets-and-splits")[1] as { view: ReturnType<typeof lastView>["view"] };
    const events: TableEvent[] = [
      ...view.events,
      { event: "void", text: "The round is void." },
      { event: "settled", seat: 1, hand: 1, wager: "main", stake: 2000, returned: 2000, row: "void" },
      { event: "settled", seat: 1, hand: 1, wager: "pairs", stake: 500, returned: 500, row: "void" },
      { event: "settled", seat: 2, hand: 1, wager: "main", stake: 2000, returned: 2000, row: "void" },
    ];
    const bets = sceneAt({ ...view, events, awaiting: null }).bets;
    expect(bets.map((bet) => [bet.stake, bet.returned])).toEqual([
      [2000, 2000],
      [500, 500],
      [2000, 2000],
    ]);
  });
});

describe("pauses", () => {
  it("turbo waits for no card, turn, peek or split; normal shows each", () => {
    const MOVES = ["dealt", "turned-up", "peeked", "split"];
    for (const event of lastView("blackjack-side-bets-and-splits").view.events) {
      const [normal, turbo] = [pauseAfter(event, "normal"), pauseAfter(event, "turbo")];
      if (MOVES.includes(event.event)) expect([turbo, normal > 300]).toEqual([0, true]);
      if (event.event === "offered") expect(normal).toBe(0);
      expect(turbo).toBeLessThanOrEqual(normal);
    }
  });
});
