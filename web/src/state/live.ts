/** A live table as the felts read it: pure readings of what the server sends. */

import type { Awaiting, BetView, LiveEntry, LiveNews, LiveSeat, LiveView, RoundView, TableEvent, View } from "../api/types";
import { t } from "../texts";
import { house } from "./house.svelte";
import { spoken } from "./money";

/** The colours of the seats, told apart on every felt; where many bet, they come again. */
const COLOURS = ["#f2b632", "#4fb3ff", "#ff7a6b", "#7ddc7f", "#d79bff", "#ffffff", "#ff9de0"];
export const colourOf = (seat: number): string => COLOURS[(seat - 1) % COLOURS.length] ?? "#ffffff";

/** A person's name as the table shows it: a guest's has no id in it that anybody must read. */
export const nameOf = (name: string): string => (name.startsWith("guest-") ? t.live.guest(name.slice(-3).toUpperCase()) : name);

/** What a seat has staked so far, and what came back. */
export function sumsOf(seat: LiveSeat | undefined): { staked: number; returned: number; decided: boolean } {
  const bets: BetView[] = Object.values(seat?.result ?? {});
  if (bets.length === 0) {
    return { staked: Object.values(seat?.stakes ?? {}).reduce((sum, stake) => sum + stake, 0), returned: 0, decided: false };
  }
  return {
    staked: bets.reduce((sum, bet) => sum + bet.stake, 0),
    returned: bets.reduce((sum, bet) => sum + (bet.returned ?? 0), 0),
    decided: bets.every((bet) => bet.returned !== null),
  };
}

/** Everybody's bets before the cards, one by one. */
export const betsLying = (view: LiveView): { seat: number; wager: string; stake: number; returned: number | null }[] =>
  view.seats.flatMap((one) => Object.entries(one.stakes).map(([wager, stake]) => ({ seat: one.seat, wager, stake, returned: null })));

/** The wagers seat by seat, by the table's own numbers; seats without a bet are empty. */
function wagersOf(view: LiveView): Record<string, BetView>[] {
  const most = Math.max(0, ...view.seats.map((one) => one.seat));
  const found: Record<string, BetView>[] = Array.from({ length: most }, () => ({}));
  for (const one of view.seats) {
    const undecided = Object.entries(one.stakes).map(([wager, stake]) => [wager, { stake, returned: null, row: null }]);
    found[one.seat - 1] = one.result ?? (Object.fromEntries(undecided) as Record<string, BetView>);
  }
  return found;
}

/** What is asked of the reader; null while it is another's turn. */
function awaitingOf({ turn, seat }: LiveView): Awaiting | null {
  if (turn == null || turn.seat !== seat || turn.options == null) return null;
  return { seat: turn.seat, hand: turn.hand, options: turn.options, costs: turn.costs ?? {} };
}

/** The round with its cards as the felts know rounds. Sums are the reader's own. */
export function roundOf(view: LiveView, table: string, balance: number): RoundView {
  const events: TableEvent[] = view.events ?? [];
  const mine = view.seats.find((one) => one.seat === view.seat);
  const { staked, returned } = sumsOf(mine);
  const isOver = view.phase === "closed";
  const isVoid = isOver && view.void != null;
  const shown: View = {
    game: view.game,
    seat: view.seat,
    hands: view.hands ?? [],
    events,
    wagers: wagersOf(view),
    awaiting: awaitingOf(view),
  };
  return {
    id: view.round_id,
    game: view.game,
    table,
    state: isVoid ? "void" : isOver ? "settled" : "open",
    opened_at: "",
    closed_at: null,
    choices: events.filter((event) => event.event === "chosen" && event.seat === view.seat).map((event) => event.choice ?? ""),
    staked: mine === undefined ? 0 : staked,
    returned: isOver ? returned : null,
    net: isOver && !isVoid ? returned - staked : isOver ? 0 : null,
    balance,
    view: shown,
    proof: {
      game: view.game,
      rules_hash: "",
      commitment: view.commitment,
      server_seed: view.server_seed ?? null,
      client_seeds: [],
      nonce: 0,
      cards_used: 0,
    },
  };
}

/** Whether the reader had a seat and has none now. */
export const hasLostSeat = (before: LiveNews, now: LiveNews): boolean => before.view?.seat != null && now.view !== null && now.view.seat === null;

/** What everybody at the table is told of an entry, in a sentence; "" where the felt shows it by itself. */
export function wordsOf(entry: LiveEntry, news: LiveNews): string {
  const { view } = news;
  const who = view?.seats.find((one) => one.seat === entry.seat)?.name ?? "";
  const isMine = view?.seat != null && view.seat === entry.seat;
  if (entry.entry === "choice" && entry.automatic === true) {
    const word = t.choices[entry.word ?? ""] ?? entry.word ?? "";
    return isMine ? t.live.youWereLate(word) : t.live.wasLate(nameOf(who), word);
  }
  if (entry.entry === "void") {
    if (view?.void != null && view.seats.length === 0) return ""; // nobody had bet
    return entry.cards != null ? t.live.misdeal(entry.cards) : t.live.isVoid(t.live.reasons[entry.reason ?? ""] ?? "");
  }
  if (entry.entry === "exposed") return t.live.exposed(exposedCard(view, entry.card ?? 0));
  if (entry.entry.startsWith("correct")) return t.live.corrected;
  return "";
}

/** The card with a number in the order of the deal, in words. */
function exposedCard(view: LiveView | null, number: number): string {
  const dealt = (view?.events ?? []).filter((event) => event.event === "dealt")[number - 1];
  return spoken(dealt?.card ?? null);
}

/** Which of the decisions of a round were made by the clock, as seats. */
export function lateSeats(view: LiveView): number[] {
  const chosen = (view.events ?? []).filter((event) => event.event === "chosen");
  return (view.automatic ?? []).map((number) => chosen[number - 1]?.seat ?? 0);
}

const names = new Intl.ListFormat(t.locale, { type: "conjunction" });
/** Some names in a sentence; from the fourth on they are counted. */
export function listed(people: readonly string[]): string {
  const first = people.slice(0, 3);
  return names.format(people.length > 3 ? [...first, t.live.more(people.length - 3)] : first);
}

/** For friends: the address of a table. */
export async function copyLink(table: string): Promise<void> {
  await navigator.clipboard.writeText(`${location.origin}${location.pathname}#/table/${table}`);
  house.tell(t.share.copied);
}
