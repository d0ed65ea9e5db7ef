/** One player at one table: bets, the round with its timeline, and what the buttons may do. The rules stay outside. */

import { newKey, Refused } from "../api/client";
import type { Advice, RoundView, Seat, Table, TableEvent } from "../api/types";
import { play } from "../sound";
import { t } from "../texts";
import { Coach } from "./coach.svelte";
import { house } from "./house.svelte";
import { amount } from "./money";
import { isStill, options } from "./options.svelte";
import * as slips from "./slip";
import { type Slip, square } from "./slip";
import { type Memory, recall, remember } from "./memory";
import { pauseAfter, sceneAt } from "./timeline";

export type Phase = "betting" | "dealing" | "choosing" | "after";

const SOUND_OF: Partial<Record<TableEvent["event"], "card" | "turn" | "chip">> = {
  dealt: "card",
  "turned-up": "turn",
  split: "card",
  settled: "chip",
};

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

  private memory: Memory = $state.raw({ last: {}, numbers: [] });
  private skipping = false;
  private left = false;
  private readonly others: BroadcastChannel | null;

  constructor(table: Table, seat: Seat) {
    this.table = table;
    this.seat = seat;
    this.memory = recall(table.id);
    this.chip = table.limits.chips[Math.min(1, table.limits.chips.length - 1)] ?? table.limits.minimum;
    this.slip = { ...slips.EMPTY, last: this.memory.last };
    this.ownBalance = seat.balance;
    if (seat.round !== null) this.resume(seat.round, t.table.resumed);
    this.others = globalThis.BroadcastChannel === undefined ? null : new BroadcastChannel(`pairhouse.${table.id}`);
    if (this.others !== null) this.others.onmessage = () => void this.lookAgain();
  }

  // What the screen shows.

  scene = $derived(this.round === null ? null : sceneAt(this.round.view, this.shown));
  isPlayingOut = $derived(this.round !== null && this.shown < this.round.view.events.length);
  phase: Phase = $derived.by(() => {
    if (this.round === null) return "betting";
    if (this.isPlayingOut || (this.asking && this.round.state === "open")) return "dealing";
    return this.round.state === "open" ? "choosing" : "after";
  });
  total = $derived(this.round === null ? slips.total(this.slip.bets) : this.round.staked);
  awaiting = $derived(this.phase === "choosing" ? (this.round?.view.awaiting ?? null) : null);
  /** What can be spent now: while cards still fall, the result is not given away. */
  balance = $derived(this.round === null ? this.ownBalance - slips.total(this.slip.bets) : this.ownBalance);

  /** The seat of the felt that a seat of the round is. */
  feltSeat(seat: number): number {
    return this.memory.numbers[seat - 1] ?? seat;
  }

  roundSeat(felt: number): number {
    const at = this.memory.numbers.indexOf(felt);
    return this.memory.numbers.length === 0 ? felt : at + 1;
  }

  // Betting.

  get house(): slips.House {
    return { limits: this.table.limits, wagers: this.table.game.wagers, balance: this.ownBalance };
  }

  place(seat: number, wager: string): void {
    this.startOver();
    if (this.round === null) this.move(slips.place(this.slip, this.house, square(seat, wager), this.chip));
  }

  takeBack(seat: number, wager: string): void {
    if (this.round === null) this.move(slips.takeBack(this.slip, this.house, square(seat, wager), this.chip));
  }

  undo(): void {
    if (this.round === null) this.move(slips.undo(this.slip));
  }

  clear(): void {
    if (this.round === null) this.move(slips.clear(this.slip));
  }

  doubleBet(): void {
    if (this.round === null) this.move(slips.double(this.slip, this.house), t.table.placeFirst);
  }

  /** Gives whether the bets lie again. */
  rebet(factor = 1): boolean {
    this.startOver();
    return this.round === null && this.move(slips.rebet(this.slip, this.house, factor), t.table.nothingBefore);
  }

  async rebetAndDeal(): Promise<void> {
    if (this.rebet()) await this.deal();
  }

  newGame(): void {
    this.startOver();
  }

  /** After a game the felt is cleared for the next one. */
  private startOver(): void {
    if (this.phase !== "after") return;
    this.round = null;
    this.shown = 0;
    this.slip = { ...slips.EMPTY, last: this.slip.last };
  }

  private move(moved: slips.Moved, nothing = t.table.nothing): boolean {
    if ("slip" in moved) {
      this.slip = moved.slip;
      play("chip");
      return true;
    }
    const { objection } = moved;
    if (objection.kind === "over-limit") {
      house.tell(t.table.takesOnly(amount(objection.low), amount(objection.high)), "refused");
    } else if (objection.kind === "no-funds") {
      house.tell(t.table.noFunds(amount(objection.total), amount(this.ownBalance)), "refused");
    } else house.tell(nothing, "refused");
    return false;
  }

  // The round.

  async deal(): Promise<void> {
    if (this.round !== null || this.asking) return;
    if (slips.total(this.slip.bets) === 0) return house.tell(t.table.placeFirst, "refused");
    const { seats, numbers } = slips.wagers(this.slip.bets);
    const seed = options.ownSeed || newKey();
    await this.ask(async () => {
      const round = await house.client.deal(this.table.id, seats, seed, this.seat.commitment);
      this.slip = slips.dealt(this.slip);
      this.memory = { last: this.slip.last, numbers };
      remember(this.table.id, this.memory);
      this.coach.forget();
      this.ownBalance -= round.staked;
      this.begin(round, 0);
    });
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
      const behind = ["round-open", "out-of-turn", "other-commitment", "not-open", "round-closed"];
      if (behind.includes(problem.code)) await this.lookAgain();
      if (problem.code !== "round-open") house.tell(problem.message, "refused");
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
    }
  }

  private resume(round: RoundView, says: string): void {
    if (this.memory.numbers.length !== round.view.wagers.length) {
      this.memory = { last: this.memory.last, numbers: round.view.wagers.map((_, index) => index + 1) };
    }
    this.round = round;
    this.shown = round.view.events.length;
    house.tell(says);
    void this.offer();
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
      const sound = SOUND_OF[event.event];
      if (sound !== undefined && !this.skipping) play(sound);
      const pause = this.skipping || isStill() ? 0 : pauseAfter(event, options.speed);
      if (pause > 0) await new Promise((done) => setTimeout(done, pause));
    }
    await this.settleDown(round);
  }

  private async settleDown(round: RoundView): Promise<void> {
    if (this.round !== round) return;
    this.ownBalance = round.balance;
    this.others?.postMessage(round.id);
    if (round.state === "open") return this.offer();
    if ((round.net ?? 0) > 0) play("win");
    const seat = await house.client.sit(this.table.id); // the next commitment, the roads, the meter
    if (this.round === round) this.seat = seat;
    await house.refresh();
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
    this.memory = { ...this.memory, numbers: round.view.wagers.map((_, index) => index + 1) };
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
  const [table, seat] = await Promise.all([house.client.table(id), house.client.sit(id)]);
  return new TableSession(table, seat);
}
