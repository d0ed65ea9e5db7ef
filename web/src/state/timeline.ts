/** The table after so many events: a pure reading of the server's log, so any moment can be shown, now or in a replay. */

import type { TableEvent, View } from "../api/types";
import { said } from "../texts";

/** A card keeps its number for the whole round, whichever hand it moves to. */
export interface SceneCard {
  id: number;
  face: string | null;
}

export interface SceneHand {
  at: string | null;
  seat: number;
  hand: number;
  cards: SceneCard[];
  name: string;
}

/** One stake on the felt; a split wager has one for each hand. */
export interface SceneBet {
  seat: number;
  wager: string;
  hand: number;
  stake: number;
  returned: number | null;
  /** The key of the row it was paid or taken by. */
  row: string | null;
}

export interface Scene {
  hands: SceneHand[];
  bets: SceneBet[];
  peeking: boolean;
  active: { seat: number; hand: number } | null;
  settledNow: SceneBet | null;
  isVoid: boolean;
  /** The stake that the last choice added, until the next choice: a split moves it to the new hand. */
  raised: { wager: string; stake: number } | null;
}

const where = (event: TableEvent): string => event.at ?? "";
const isHouse = (event: TableEvent): boolean => event.at != null;

/** What each seat staked before the first card: all that lies there now, less what choices added since. */
export function openingBets(view: View): SceneBet[] {
  const bets: SceneBet[] = [];
  view.wagers.forEach((wagers, index) => {
    const seat = index + 1;
    for (const [wager, bet] of Object.entries(wagers)) {
      const stake = bet.stake - added(view.events, seat, wager);
      if (stake > 0) bets.push({ seat, wager, hand: 1, stake, returned: null, row: null });
    }
  });
  return bets;
}

function added(events: readonly TableEvent[], seat: number, wager: string): number {
  return events
    .filter((event) => event.event === "chosen" && event.seat === seat && event.wager === wager)
    .reduce((sum, event) => sum + (event.stake ?? 0), 0);
}

/** The scene after the first `count` events of a view. */
export function sceneAt(view: View, count: number = view.events.length): Scene {
  const scene: Scene = {
    hands: [],
    bets: openingBets(view),
    peeking: false,
    active: null,
    settledNow: null,
    isVoid: false,
    raised: null,
  };
  view.events.slice(0, count).forEach((event, id) => {
    scene.settledNow = null;
    scene.peeking = event.event === "peeked";
    show(scene, event, id);
  });
  for (const hand of scene.hands) hand.name = nameOf(view, hand);
  if (count >= view.events.length && view.awaiting === null) scene.active = null;
  return scene;
}

/** The server's name for a hand, once every card of it lies on the table. */
function nameOf(view: View, hand: SceneHand): string {
  const named = view.hands.find((other) =>
    hand.at !== null ? other.at === hand.at : other.seat === hand.seat && other.hand === hand.hand,
  );
  if (named === undefined || named.cards.length !== hand.cards.length) return "";
  return hand.cards.every((card, index) => card.face !== null && card.face === named.cards[index]) ? said(named.name ?? "", named.key) : "";
}

function show(scene: Scene, event: TableEvent, id: number): void {
  switch (event.event) {
    case "dealt":
      handOf(scene, event).cards.push({ id, face: event.card ?? null });
      return;
    case "turned-up":
      turnUp(handOf(scene, event), event.card ?? null);
      return;
    case "split":
      split(scene, event);
      return;
    case "offered":
      scene.active = { seat: event.seat ?? 0, hand: event.hand ?? 1 };
      return;
    case "chosen":
      raise(scene, event);
      return;
    case "settled":
      settle(scene, event);
      return;
    case "void":
      scene.isVoid = true;
      return;
    case "said":
    case "peeked":
  }
}

function handOf(scene: Scene, event: TableEvent): SceneHand {
  const found = scene.hands.find((hand) =>
    isHouse(event) ? hand.at === where(event) : hand.seat === event.seat && hand.hand === event.hand,
  );
  if (found !== undefined) return found;
  const hand: SceneHand = {
    at: isHouse(event) ? where(event) : null,
    seat: event.seat ?? 0,
    hand: event.hand ?? 1,
    cards: [],
    name: "",
  };
  scene.hands.push(hand);
  return hand;
}

function turnUp(hand: SceneHand, face: string | null): void {
  const hidden = hand.cards.find((card) => card.face === null);
  if (hidden !== undefined) hidden.face = face;
}

/** A hand becomes two: the hands after it move up by one, with their stakes, and the stake just added moves along. */
function split(scene: Scene, event: TableEvent): void {
  const hand = handOf(scene, event);
  const moved = hand.cards.pop();
  const { wager, stake } = scene.raised ?? { wager: "", stake: 0 };
  for (const other of [...scene.hands, ...scene.bets.filter((bet) => bet.wager === wager)]) {
    if (other.seat === hand.seat && other.hand > hand.hand) other.hand += 1;
  }
  const lying = betOn(scene, hand.seat, wager, hand.hand);
  if (lying !== undefined) {
    lying.stake -= stake;
    scene.bets.push({ ...lying, hand: hand.hand + 1, stake });
  }
  scene.hands.push({ ...hand, hand: hand.hand + 1, cards: moved === undefined ? [] : [moved] });
  scene.hands.sort((a, b) => a.seat - b.seat || a.hand - b.hand);
}

function betOn(scene: Scene, seat: number, wager: string, hand: number): SceneBet | undefined {
  return scene.bets.find((bet) => bet.seat === seat && bet.wager === wager && bet.hand === hand);
}

/** A choice that costs something books its stake on the wager that the event names. */
function raise(scene: Scene, event: TableEvent): void {
  const [seat, hand, stake] = [event.seat ?? 0, event.hand ?? 1, event.stake ?? 0];
  scene.active = { seat, hand };
  scene.raised = null;
  if (event.wager == null || stake === 0) return;
  scene.raised = { wager: event.wager, stake };
  const lying = betOn(scene, seat, event.wager, hand);
  if (lying !== undefined) lying.stake += stake;
  else scene.bets.push({ seat, wager: event.wager, hand, stake, returned: null, row: null });
}

function settle(scene: Scene, event: TableEvent): void {
  const seat = event.seat ?? 0;
  const wager = event.wager ?? "";
  const mine = scene.bets.filter((bet) => bet.seat === seat && bet.wager === wager);
  const paid = { stake: event.stake ?? 0, returned: event.returned ?? 0, row: event.key ?? null };
  if (scene.isVoid) mine.slice(1).forEach((bet) => scene.bets.splice(scene.bets.indexOf(bet), 1));
  let bet = mine.find((other) => other.hand === event.hand) ?? mine[0];
  if (bet === undefined) {
    bet = { seat, wager, hand: event.hand ?? 1, ...paid };
    scene.bets.push(bet);
  }
  Object.assign(bet, paid);
  scene.settledNow = bet;
}

export type Speed = "normal" | "turbo";

const PAUSES_MS: Readonly<Record<TableEvent["event"], number>> = {
  dealt: 340,
  "turned-up": 560,
  peeked: 700,
  split: 420,
  said: 620,
  offered: 0,
  chosen: 120,
  settled: 320,
  void: 600,
};

/** Where the game stops for a glance even when nothing moves. */
const TURBO_PAUSES_MS: Partial<typeof PAUSES_MS> = { said: 90, settled: 30, void: 300 };

/** How long an event is looked at before the next one. TURBO waits for no card, turn or peek. */
export function pauseAfter(event: TableEvent, speed: Speed): number {
  return speed === "normal" ? PAUSES_MS[event.event] : (TURBO_PAUSES_MS[event.event] ?? 0);
}
