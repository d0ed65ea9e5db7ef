/** What a felt shows and takes, wherever its state comes from: bets, the round with its timeline, what is asked. */

import type { Awaiting, RoundView, Seat, Stakes, Table, TableEvent } from "../api/types";
import { inForce } from "../care/policy.svelte";
import { play } from "../sound";
import { t } from "../texts";
import { Coach } from "./coach.svelte";
import { FreeChip } from "./free-chip.svelte";
import { Holding } from "./holding.svelte";
import { house } from "./house.svelte";
import { rememberBets } from "./memory";
import { amount } from "./money";
import { pace } from "./options.svelte";
import { momentOf, outcomeOf } from "./outcome";
import { type Question, question } from "./prompt";
import * as slips from "./slip";
import { type Slip, square } from "./slip";
import { pauseAfter, type Scene, sceneAt } from "./timeline";

export type Phase = "betting" | "dealing" | "choosing" | "after";

/** A line for the prompt that is said instead of the felt's own. */
export interface Sentence {
  text: string;
  detail: string;
}

/** Somebody else's chips on a bet that everybody shares. */
export interface OthersChips {
  seat: number;
  stake: number;
  returned: number | null;
  colour: string;
}

const SOUND_OF: Partial<Record<TableEvent["event"], "card" | "turn">> = {
  dealt: "card",
  "turned-up": "turn",
  split: "card",
};

export abstract class FeltSession {
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
  readonly holding = new Holding(this);
  readonly free = new FreeChip(this);

  protected skipping = false;
  protected left = false;

  constructor(table: Table, seat: Seat) {
    this.table = table;
    this.seat = seat;
    this.chip = table.limits.chips[Math.min(1, table.limits.chips.length - 1)] ?? table.limits.minimum;
    this.ownBalance = seat.balance;
  }

  abstract readonly phase: Phase;
  /** What can be spent now: while cards still fall, the result is not given away. */
  abstract readonly balance: number;
  /** The seat of the felt that a seat of the round is, and the other way round. */
  abstract feltSeat(seat: number): number;
  abstract roundSeat(felt: number): number;
  /** The bets are made: deal, or say so. */
  abstract deal(): Promise<void>;
  abstract choose(choice: string, sure?: boolean): Promise<void>;
  /** Clear the finished game off the felt. */
  abstract newGame(): void;
  abstract lookAgain(): Promise<void>;
  abstract askCoach(): Promise<void>;
  abstract leave(): void;
  /** A round has been shown to its newest event. */
  protected abstract settleDown(round: RoundView): Promise<void>;

  // What the screen shows.

  scene: Scene | null = $derived(this.round === null ? null : sceneAt(this.round.view, this.shown));
  isPlayingOut = $derived(this.round !== null && this.shown < this.round.view.events.length);
  total = $derived(this.round === null ? slips.total(this.slip.bets) : this.round.staked);
  awaiting: Awaiting | null = $derived.by(() => (this.phase === "choosing" ? (this.round?.view.awaiting ?? null) : null));

  /** What the player is asked, in words. */
  question: Question | null = $derived.by(() => {
    const { awaiting, scene } = this;
    if (awaiting === null || scene === null) return null;
    const mine = scene.hands.filter((hand) => hand.at === null && hand.seat === awaiting.seat);
    return question({
      game: this.table.game,
      awaiting,
      hand: mine.find((hand) => hand.hand === awaiting.hand),
      dealer: scene.hands.find((hand) => hand.at !== null),
      seat: this.ownSeats() > 1 ? this.feltSeat(awaiting.seat) : null,
      hands: mine.length,
    });
  });

  /** How many seats of the round are this player's; with one, its number is not said. */
  protected ownSeats(): number {
    return this.round?.view.wagers.length ?? 1;
  }

  /** What the table says instead of the felt's own words. */
  get sentence(): Sentence | null {
    return null;
  }

  /** What lies on a bet before the cards. */
  lying(seat: number, wager: string): number {
    return this.slip.bets[square(seat, wager)] ?? 0;
  }

  /** What others have on a bet of the layout that everybody shares. */
  othersOn(_: string): OthersChips[] {
    return [];
  }

  /** The chips to choose from. */
  get chips(): number[] {
    return this.table.limits.chips;
  }

  /** What is said of the chips; "" where they have their value printed on them. */
  get chipsSay(): string {
    return "";
  }

  /** The colour of the player's own chips, where each has a colour of their own. */
  get ownColour(): string | undefined {
    return undefined;
  }

  // Betting.

  protected get player(): string {
    return house.me?.id ?? "";
  }

  get takesFreeBets(): boolean {
    return true;
  }

  get house(): slips.House {
    const balance = this.free.paying?.remaining ?? this.ownBalance;
    return { limits: this.table.limits, wagers: this.table.game.wagers, balance };
  }

  /** Seats that hold a side bet and still need the bet that opens a game. */
  unopened: number[] = $derived.by(() => (this.phase === "betting" ? slips.seatsWithoutOpener(this.slip.bets, this.house) : []));
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

  /** A saved layout in place of what lies. Gives whether it lies now; where the table does not take it, nothing changes. */
  layBets(bets: slips.Bets): boolean {
    if (this.phase !== "betting" && this.phase !== "after") return false;
    const felt = this.phase === "after" ? slips.dealt(this.slip.last) : this.slip;
    const moved = slips.lay(felt, this.house, bets);
    if ("slip" in moved) this.newGame();
    return this.move(moved);
  }

  async rebetAndDeal(): Promise<void> {
    if (this.rebet()) await this.deal();
  }

  protected lay(slip: Slip): void {
    this.slip = slip;
    rememberBets(this.player, this.table.id, slip.bets);
  }

  protected move(moved: slips.Moved, nothing = t.table.nothing): boolean {
    if ("slip" in moved) {
      this.lay(moved.slip);
      house.hush();
      play("chip");
      return true;
    }
    const { objection } = moved;
    if (objection.kind === "over-limit") this.refuse(t.table.takesOnly(amount(objection.low), amount(objection.high)));
    else if (objection.kind === "over-round") this.refuse(t.table.takesAll(amount(objection.high)));
    else if (objection.kind === "no-funds") this.refuse(t.table.noFunds(amount(objection.total), amount(this.house.balance)));
    else this.refuse(nothing);
    return false;
  }

  protected refuse(text: string): void {
    if (!this.left) house.tell(text, "refused");
  }

  // The timeline.

  /** Show the rest of what has happened at once. */
  skip(): void {
    this.skipping = inForce.mayHurry;
  }

  protected begin(round: RoundView, from: number): void {
    this.round = round;
    this.shown = from;
    this.skipping = false;
    void this.playOut(round);
  }

  /** How long an event is looked at before the next one. */
  protected pauseOf(event: TableEvent): number {
    return pauseAfter(event, pace());
  }

  /** Show event after event; the page can be left or the rest skipped at any time. */
  protected async playOut(round: RoundView): Promise<void> {
    const { events } = round.view;
    while (this.shown < events.length) {
      if (this.left || this.round !== round) return;
      const event = events[this.shown] as TableEvent;
      this.shown += 1;
      this.sound(round, event);
      const pause = this.skipping ? 0 : this.pauseOf(event);
      if (pause > 0) await new Promise((done) => setTimeout(done, pause));
    }
    await this.settleDown(round);
  }

  private sound(round: RoundView, event: TableEvent): void {
    if (this.skipping || this.left) return;
    const sound = SOUND_OF[event.event];
    if (sound !== undefined) play(sound);
    else if (event.event === "settled" && (event.returned ?? 0) > 0 && (round.net ?? 1) >= inForce.leastHeard) play("chip");
  }

  /** A win is heard by its size; a loss and a push have a low sound of their own and are never celebrated. */
  protected celebrate(round: RoundView): void {
    const { tier } = outcomeOf(round);
    if (tier === "none") return play((round.net ?? 0) < 0 ? "loss" : "push");
    play(tier === "huge" || momentOf(round, this.table.game) === "jackpot" ? "huge" : tier);
  }
}

/** The stakes of one seat of the felt. */
export const stakesOn = (bets: slips.Bets, seat: number): Stakes =>
  Object.fromEntries(
    Object.entries(bets)
      .filter(([at]) => slips.seatOf(at) === seat)
      .map(([at, stake]) => [slips.wagerOf(at), stake]),
  );
