/** One player at one table: bets, the round with its timeline, and what the buttons may do. The rules stay outside. */

import { newKey, Refused } from "../api/client";
import type { Advice, RoundView, Seat, Table, TableEvent } from "../api/types";
import { play } from "../sound";
import { t } from "../texts";
import { Coach } from "./coach.svelte";
import { house } from "./house.svelte";
import { type Memory, memoryOf, NOTHING, recall, recallBets, remember, rememberBets } from "./memory";
import { amount } from "./money";
import { isQuick, options } from "./options.svelte";
import { momentOf, outcomeOf } from "./outcome";
import { type Question, question } from "./prompt";
import { reasonOf } from "./refusal";
import * as slips from "./slip";
import { type Slip, square } from "./slip";
import { pauseAfter, sceneAt } from "./timeline";

export type Phase = "betting" | "dealing" | "choosing" | "after";

const SOUND_OF: Partial<Record<TableEvent["event"], "card" | "turn">> = {
  dealt: "card",
  "turned-up": "turn",
  split: "card",
};
/** The server is ahead of this page: look again instead of failing. */
const BEHIND = ["round-open", "out-of-turn", "other-commitment", "not-open", "round-closed"];

export class TableSession {
  table: Table = $state.raw() as Table;
  seat: Seat = $state.raw() as Seat;
  slip: Slip = $state.raw(slips.EMPTY);
  chip = $state(0);
  round: RoundView | null = $state.raw(null);
  shown = $state(0);
  asking = $state(false);
  warning: { choice: string; text: string } | null = $state(null);
  ownBalance = $state(0);
  readonly coach = new Coach();

  private memory: Memory = $state.raw(NOTHING);
  private skipping = false;
  private left = false;
  private readonly others: BroadcastChannel | null;

  constructor(table: Table, seat: Seat) {
    this.table = table;
    this.seat = seat;
    this.memory = recall(this.player, table.id);
    this.chip = table.limits.chips[Math.min(1, table.limits.chips.length - 1)] ?? table.limits.minimum;
    this.ownBalance = seat.balance;
    const bets = seat.round === null ? slips.stillTaken(recallBets(this.player, table.id), this.house) : {};
    this.slip = { ...slips.EMPTY, bets, last: this.memory.last };
    if (seat.round !== null) this.resume(seat.round, t.table.resumed);
    this.others = globalThis.BroadcastChannel === undefined ? null : new BroadcastChannel(`pairhouse.${table.id}`);
    if (this.others !== null) this.others.onmessage = () => void this.lookAgain();
  }

  // What the screen shows.

  scene = $derived(this.round === null ? null : sceneAt(this.round.view, this.shown));
  isPlayingOut = $derived(this.round !== null && this.shown < this.round.view.events.length);
  phase: Phase = $derived.by(() => {
    if (this.round === null) return this.asking ? "dealing" : "betting";
    if (this.isPlayingOut || (this.asking && this.round.state === "open")) return "dealing";
    return this.round.state === "open" ? "choosing" : "after";
  });
  total = $derived(this.round === null ? slips.total(this.slip.bets) : this.round.staked);
  awaiting = $derived(this.phase === "choosing" ? (this.round?.view.awaiting ?? null) : null);
  /** What can be spent now: while cards still fall, the result is not given away. */
  balance = $derived(this.round === null ? this.ownBalance - slips.total(this.slip.bets) : this.ownBalance);

  /** What the player is asked, in words. */
  question: Question | null = $derived.by(() => {
    const { awaiting, scene } = this;
    if (awaiting === null || scene === null) return null;
    const mine = scene.hands.filter((hand) => hand.at === null && hand.seat === awaiting.seat);
    return question({
      awaiting,
      hand: mine.find((hand) => hand.hand === awaiting.hand),
      dealer: scene.hands.find((hand) => hand.at !== null),
      seat: (this.round?.view.wagers.length ?? 1) > 1 ? this.feltSeat(awaiting.seat) : null,
      hands: mine.length,
    });
  });

  /** The seat of the felt that a seat of the round is. */
  feltSeat(seat: number): number {
    return this.memory.numbers[seat - 1] ?? seat;
  }

  roundSeat(felt: number): number {
    const at = this.memory.numbers.indexOf(felt);
    return this.memory.numbers.length === 0 ? felt : at + 1;
  }

  // Betting.

  private get player(): string {
    return house.me?.id ?? "";
  }

  get house(): slips.House {
    return { limits: this.table.limits, wagers: this.table.game.wagers, balance: this.ownBalance };
  }

  /** Seats that hold a side bet and still need the bet that opens a game. */
  unopened = $derived(this.phase === "betting" ? slips.seatsWithoutOpener(this.slip.bets, this.house) : []);
  /** What the last game staked before its first card. */
  lastTotal = $derived(slips.total(this.slip.last));

  place(seat: number, wager: string): void {
    if (this.phase === "after") this.newGame();
    if (this.phase === "betting") this.move(slips.place(this.slip, this.house, square(seat, wager), this.chip));
  }

  takeBack(seat: number, wager: string): void {
    if (this.phase === "betting") this.move(slips.takeBack(this.slip, this.house, square(seat, wager), this.chip));
  }

  undo(): void {
    if (this.phase === "betting") this.move(slips.undo(this.slip));
  }

  clear(): void {
    if (this.phase === "betting") this.move(slips.clear(this.slip));
  }

  doubleBet(): void {
    if (this.phase === "betting") this.move(slips.double(this.slip, this.house), t.table.placeFirst);
  }

  /** The last game's bets, so many times. Gives whether they lie again; where they cannot, nothing changes. */
  rebet(factor = 1): boolean {
    if (this.phase !== "betting" && this.phase !== "after") return false;
    const felt = this.phase === "after" ? slips.dealt(this.slip.last) : this.slip;
    const moved = slips.rebet(felt, this.house, factor);
    if ("slip" in moved) this.newGame();
    return this.move(moved, t.table.nothingBefore);
  }

  async rebetAndDeal(): Promise<void> {
    if (this.rebet()) await this.deal();
  }

  /** Clear the finished game off the felt. */
  newGame(): void {
    if (this.phase !== "after") return;
    this.round = null;
    this.shown = 0;
    this.lay(slips.dealt(this.slip.last));
  }

  private lay(slip: Slip): void {
    this.slip = slip;
    rememberBets(this.player, this.table.id, slip.bets);
  }

  private move(moved: slips.Moved, nothing = t.table.nothing): boolean {
    if ("slip" in moved) {
      this.lay(moved.slip);
      house.hush();
      play("chip");
      return true;
    }
    const { objection } = moved;
    if (objection.kind === "over-limit") this.refuse(t.table.takesOnly(amount(objection.low), amount(objection.high)));
    else if (objection.kind === "over-round") this.refuse(t.table.takesAll(amount(objection.high)));
    else if (objection.kind === "no-funds") this.refuse(t.table.noFunds(amount(objection.total), amount(this.ownBalance)));
    else this.refuse(nothing);
    return false;
  }

  private refuse(text: string): void {
    if (!this.left) house.tell(text, "refused");
  }

  // The round.

  async deal(): Promise<void> {
    if (this.phase !== "betting") return;
    if (slips.total(this.slip.bets) === 0) return this.refuse(t.table.placeFirst);
    if (this.unopened.length > 0) return; // the prompt says which bet is missing
    const { bets } = this.slip;
    const { seats, numbers } = slips.wagers(bets);
    const seed = options.ownSeed || newKey();
    house.hush();
    this.keep({ last: this.memory.last, round: "", seats, numbers });
    await this.ask(async () => {
      const round = await house.client.deal(this.table.id, seats, seed, this.seat.commitment);
      this.keep(memoryOf(round, this.memory));
      this.lay(slips.dealt(this.memory.last));
      this.coach.forget();
      this.ownBalance -= round.staked;
      this.begin(round, 0);
    });
  }

  private keep(memory: Memory): void {
    this.memory = memory;
    remember(this.player, this.table.id, memory);
  }

  async choose(choice: string, sure = false): Promise<void> {
    const round = this.round;
    const awaiting = this.awaiting;
    if (round === null || !awaiting?.options.includes(choice) || this.asking) return;
    const warning = awaiting.warnings?.[choice];
    if (options.safety && warning !== undefined && !sure) {
      this.warning = { choice, text: warning };
      return;
    }
    this.warning = null;
    this.coach.judge(choice);
    await this.ask(async () => {
      const next = await house.client.choose(round.id, choice, round.choices.length);
      this.ownBalance -= next.staked - round.staked;
      this.begin(next, this.shown);
    });
  }

  /** Show the rest of what has happened at once. */
  skip(): void {
    this.skipping = true;
  }

  /** Ask the server; where this page is behind the round, catch up instead of failing. */
  private async ask(act: () => Promise<void>): Promise<void> {
    this.asking = true;
    try {
      await act();
    } catch (problem) {
      if (!(problem instanceof Refused)) throw problem;
      if (BEHIND.includes(problem.code)) await this.lookAgain();
      if (problem.code !== "round-open") this.refuse(reasonOf(problem));
    } finally {
      this.asking = false;
    }
  }

  /** Another window, or a break in the line: take the table as the server has it. */
  async lookAgain(): Promise<void> {
    if (this.left || this.isPlayingOut) return;
    const known = this.round;
    const seat = await house.client.sit(this.table.id);
    this.seat = seat;
    this.ownBalance = seat.balance;
    if (seat.round !== null) {
      if (known?.id === seat.round.id && known.choices.length === seat.round.choices.length) return;
      this.resume(seat.round, t.table.elsewhere);
    } else if (known?.state === "open") {
      const closed = await house.client.round(known.id);
      this.begin(closed, this.shown);
    } else {
      this.memory = recall(this.player, this.table.id); // another window may have played meanwhile
      this.slip = { ...this.slip, last: this.memory.last };
    }
  }

  private resume(round: RoundView, says: string): void {
    this.keep(memoryOf(round, recall(this.player, this.table.id)));
    this.lay(slips.dealt(this.memory.last));
    this.round = round;
    this.shown = round.view.events.length;
    if (!this.left) house.tell(says);
    void this.offer();
  }

  /** REBET in a browser that has not played here: the house knows the last game. */
  async findLast(): Promise<void> {
    if (this.left || this.round !== null || this.lastTotal > 0) return;
    const [latest] = (await house.client.rounds(null, this.table.id)).rounds;
    if (latest === undefined) return;
    const memory = memoryOf(await house.client.round(latest.id), NOTHING);
    if (this.round !== null || this.lastTotal > 0) return;
    this.keep(memory);
    this.slip = { ...this.slip, last: memory.last };
  }

  private begin(round: RoundView, from: number): void {
    this.round = round;
    this.shown = from;
    this.skipping = false;
    void this.playOut(round);
  }

  /** Show event after event; the page can be left or the rest skipped at any time. */
  private async playOut(round: RoundView): Promise<void> {
    const { events } = round.view;
    while (this.shown < events.length) {
      if (this.left || this.round !== round) return;
      const event = events[this.shown] as TableEvent;
      this.shown += 1;
      this.sound(round, event);
      const pause = this.skipping ? 0 : pauseAfter(event, isQuick() ? "turbo" : "normal");
      if (pause > 0) await new Promise((done) => setTimeout(done, pause));
    }
    await this.settleDown(round);
  }

  private sound(round: RoundView, event: TableEvent): void {
    if (this.skipping || this.left) return;
    const sound = SOUND_OF[event.event];
    if (sound !== undefined) play(sound);
    else if (event.event === "settled" && (event.returned ?? 0) > 0 && (round.net ?? 1) >= 0) play("chip");
  }

  private async settleDown(round: RoundView): Promise<void> {
    if (this.round !== round) return;
    this.ownBalance = round.balance;
    this.others?.postMessage(round.id);
    if (round.state === "open") return this.offer();
    if (!this.left) this.celebrate(round);
    const seat = await house.client.sit(this.table.id); // the next commitment, the roads, the meter
    if (this.round === round) this.seat = seat;
    await house.refresh();
  }

  /** A win is heard by its size; less than the stake, or just the stake, is not heard at all. */
  private celebrate(round: RoundView): void {
    const { tier } = outcomeOf(round);
    if (tier === "none") return;
    play(tier === "huge" || momentOf(round, this.table.game) === "jackpot" ? "huge" : tier);
  }

  /** A choice is awaited: say no to insurance for those who never want it, and let the coach look. */
  private async offer(): Promise<void> {
    const offered = this.round?.view.awaiting?.options ?? [];
    if (options.insurance === "never" && offered.includes("no-insurance")) {
      await Promise.resolve();
      this.asking = false;
      return this.choose("no-insurance", true);
    }
    if (options.coach && this.table.advice && this.round?.state === "open") await this.askCoach();
  }

  async askCoach(): Promise<void> {
    const round = this.round;
    if (round === null || !this.table.advice || round.view.awaiting === null) return;
    try {
      const advice: Advice = await house.client.advice(round.id);
      if (this.round === round) this.coach.hear(advice);
    } catch {
      // The round went on before the coach had counted, or this table gives no advice: nothing to say.
    }
  }

  /** Show a round as it stood after so many events. */
  look(round: RoundView, shown: number): void {
    this.memory = memoryOf(round, this.memory);
    this.round = round;
    this.shown = shown;
  }

  leave(): void {
    this.left = true;
    this.others?.close();
  }
}

/** A past round on its own felt: it can be looked at from any event, and nothing can be bet. */
export function pastRound(table: Table, round: RoundView): TableSession {
  const seat: Seat = {
    table: table.id,
    balance: round.balance,
    commitment: round.proof.commitment,
    nonce: round.proof.nonce,
    last_client_seed: null,
    meter: round.meter ?? null,
    shoe: null,
    round: null,
  };
  const session = new TableSession(table, seat);
  session.leave();
  session.look(round, 0);
  return session;
}

export async function sitDown(id: string): Promise<TableSession> {
  const path = encodeURIComponent(id);
  const [table, seat] = await Promise.all([house.client.table(path), house.client.sit(path)]);
  const session = new TableSession(table, seat);
  void session.findLast().catch(() => undefined); // without it REBET waits for the first game
  return session;
}
