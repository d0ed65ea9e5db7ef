/** One player, or somebody who watches, at a table that several people share. The server's news are the state. */

import { Refused } from "../api/client";
import type { LiveNews, LiveView, RoundView, Seat, Stakes, Table, TableEvent } from "../api/types";
import { caring } from "../care/care.svelte";
import { play } from "../sound";
import { t } from "../texts";
import { lastCoups, shoeOf, withCoup } from "./coups";
import { type FeltSession, type OthersChips, type Phase, type Sentence, stakesOn } from "./felt.svelte";
import { house } from "./house.svelte";
import { betsLying, hasLostSeat, roundOf, sumsOf, wordsOf } from "./live";
import { LivePeople } from "./live_people.svelte";
import { NOTHING, recall, remember } from "./memory";
import { reasonOf } from "./refusal";
import { actAtTable } from "./live_act";
import { LiveSeed } from "./live_seed";
import { isQuick } from "./options.svelte";
import { commitmentOf } from "./seed";
import * as slips from "./slip";
import { isSame, square } from "./slip";
import { sentenceOf } from "./live_sentence";
import { Stream } from "./stream";

/** Chips are told to the house when the hand rests for a moment. */
const REST_MS = 250;
/** So long a result is looked at. */
const LINGER_MS = 2200;
/** Settled long ago by another window, or by the clock: nothing to tell. */
const SILENT = ["bad-seed", "no-bets"];

export class LiveSession extends LivePeople {
  /** The last round that was closed here: all its seeds are open. */
  closed: LiveView | null = $state.raw(null);
  /** How far the server's clock is ahead of this one's. */
  private ahead = 0;
  private confirmed: Stakes = $state.raw({});
  private waiting: LiveNews | null = null;
  private seen = "";
  private sending: Promise<void> | null = null;
  private resting: ReturnType<typeof setTimeout> | undefined;
  /** Who wants to leave is not told that the seat is gone. */
  private isLeaving = false;
  private readonly seed: LiveSeed;
  /** The same bets again as soon as the next round opens. */
  again = $state(false);
  private readonly stream: Stream;

  constructor(table: Table, seat: Seat, news: LiveNews) {
    super(table, seat, news);
    this.seed = new LiveSeed(() => this.player, table.id);
    this.slip = { ...slips.EMPTY, last: recall(this.player, table.id).last };
    this.hear(news, true);
    this.stream = new Stream(`/tables/${table.id}/events`, (heard) => this.hear(heard));
  }

  /** The server's time now. */
  now(): number {
    return Date.now() + this.ahead;
  }
  /** Until when the table waits: for bets, for seeds, for a decision. */
  until: number | null = $derived.by(() => {
    const { view } = this;
    if (view === null || this.isPlayingOut) return null;
    if (view.by_hand === true && view.phase === "betting") return null; // a hand closes it, not the clock
    return view.closes_at ?? view.seeds_until ?? view.turn?.decide_by ?? null;
  });
  /** Whose turn it is, once the felt shows it. */
  turn: number | null = $derived(this.isPlayingOut ? null : (this.view?.turn?.seat ?? null));
  isReady = $derived(this.view?.seats.find((one) => one.seat === this.mySeat)?.is_ready ?? false);

  phase: Phase = $derived.by(() => {
    if (this.round === null) return this.view?.phase === "betting" ? "betting" : "dealing";
    if (this.isPlayingOut) return "dealing";
    if (this.round.state !== "open") return "after";
    return this.round.view.awaiting !== null && !this.asking ? "choosing" : "dealing";
  });
  private held = $derived(Object.values(this.confirmed).reduce((sum, stake) => sum + stake, 0));
  balance = $derived(this.round === null ? this.ownBalance + this.held - slips.total(this.slip.bets) : this.ownBalance);
  override get takesFreeBets(): boolean {
    return false;
  }

  override get house(): slips.House {
    return { ...super.house, balance: this.ownBalance + (this.round === null ? this.held : 0) };
  }

  feltSeat(seat: number): number {
    return seat;
  }
  roundSeat(felt: number): number {
    return this.hasPlaces ? felt : (this.mySeat ?? 0);
  }
  protected override ownSeats(): number {
    return 1;
  }
  override lying(seat: number, wager: string): number {
    if (!this.hasPlaces || seat === this.mySeat) return super.lying(seat, wager);
    return this.bettor(seat)?.stakes[wager] ?? 0;
  }
  override othersOn(wager: string): OthersChips[] {
    if (this.seats !== null || this.view === null) return [];
    const bets = this.scene?.bets ?? betsLying(this.view);
    const others = bets.filter((bet) => bet.wager === wager && bet.seat !== this.mySeat);
    return others.map((bet) => ({ ...bet, colour: this.colour(bet.seat) }));
  }

  override get sentence(): Sentence | null {
    return sentenceOf(this);
  }

  /** Something happened, or the line is back: take the table as the server has it. */
  private hear(news: LiveNews, isFirst = false): void {
    if (this.left || (!isFirst && news.number < this.news.number)) return;
    this.ahead = news.now - Date.now();
    if (hasLostSeat(this.news, news) && !this.isLeaving) house.tell(t.live.seatFreed);
    this.isLeaving &&= news.view?.seat == null || news.view.phase !== "betting";
    this.news = news;
    if (!isFirst) this.tell(news);
    const isOther = this.view !== null && news.view !== null && this.view.round_id !== news.view.round_id;
    if (isOther && this.isBusy) {
      this.waiting = news; // the felt finishes what it shows
      return;
    }
    this.waiting = null;
    if (this.ownChip > 0) this.chip = this.ownChip;
    this.show(news.view, isFirst);
  }

  private tell(news: LiveNews): void {
    for (const entry of news.entries) {
      const words = wordsOf(entry, news);
      if (words !== "") house.tell(words, entry.entry === "choice" ? "info" : "refused");
    }
    if (news.entries.some((entry) => entry.entry === "corrected")) void this.countMoney();
  }

  private show(view: LiveView | null, isFirst: boolean): void {
    if (view === null) return;
    const isNew = this.view?.round_id !== view.round_id;
    const missed = isNew && this.view !== null && this.view.phase !== "closed";
    this.view = view;
    if (missed) void this.loadCoups();
    if (view.phase === "closed" && view.void == null) this.closed = view;
    this.seat = { ...this.seat, commitment: view.commitment };
    if (isNew) this.openRound();
    const isKnown = this.round?.id === view.round_id;
    const staked = sumsOf(view.seats.find((one) => one.seat === view.seat)).staked;
    const joins = isFirst || (!isKnown && view.phase === "closed" && staked === 0 && isNew);
    this.seat = { ...this.seat, ...shoeOf(view, joins) };
    this.takeOver(view);
    if (view.phase === "seeds") void this.openSeed(view);
    if (view.phase === "betting" || view.phase === "seeds") return;
    const round = roundOf(view, this.table.id, this.ownBalance);
    this.begin(round, joins ? round.view.events.length : isKnown ? this.shown : 0);
  }

  /** A new round: the felt is cleared, and what was bet can be bet again. */
  private openRound(): void {
    this.round = null;
    this.shown = 0;
    this.confirmed = {};
    this.lay(slips.dealt(this.ownLast()));
    if (!this.again) return;
    this.again = false;
    if (this.view?.phase === "betting") queueMicrotask(() => void this.rebetAndDeal());
  }

  /** What this player has in the round, as the house has it: after a reload, or from another window. */
  private takeOver(view: LiveView): void {
    const stakes = view.seats.find((one) => one.seat === view.seat)?.stakes ?? {};
    if (this.sending !== null) return;
    const isResting = this.resting !== undefined;
    this.confirmed = stakes;
    if (isResting && view.phase === "betting") return;
    const bets = this.squares(stakes);
    if (!isSame(bets, this.slip.bets)) super.lay({ ...this.slip, bets, steps: [] });
    if (view.phase !== "betting" && slips.total(bets) > 0) {
      this.slip = { ...this.slip, last: bets };
      remember(this.player, this.table.id, { ...NOTHING, last: bets });
    }
  }

  private readonly squares = (stakes: Stakes): slips.Bets =>
    Object.fromEntries(Object.entries(stakes).map(([wager, stake]) => [square(this.ownFelt, wager), stake]));
  /** The last bets, on the seat the player has now. */
  private readonly ownLast = (): slips.Bets =>
    this.squares(Object.fromEntries(Object.entries(this.slip.last).map(([at, stake]) => [slips.wagerOf(at), stake])));

  protected override pauseOf(event: TableEvent): number {
    const hands = Math.max(1, this.view?.seats.length ?? 1);
    const isOthers = event.seat != null && event.seat !== this.mySeat;
    const full = super.pauseOf(event) / (this.waiting === null ? 1 : 6);
    return isOthers || event.event === "dealt" ? full / Math.min(4, hands) : full;
  }

  protected async settleDown(round: RoundView): Promise<void> {
    if (this.round !== round || this.left) return;
    if (round.state !== "open" && round.staked > 0) this.celebrate(round);
    if (round.state === "settled") this.addCoup(round);
    const counting = round.staked > 0 ? this.countMoney() : null;
    await this.linger(round);
    const { waiting } = this;
    if (waiting !== null && this.round === round && !this.left) {
      this.waiting = null;
      this.show(waiting.view, false);
    }
    await counting;
  }

  /** Whether the felt still shows the cards of a round, or its result to one who has bet. */
  private get isBusy(): boolean {
    return this.isPlayingOut || (this.round !== null && this.round.state !== "open" && this.seen !== this.round.id);
  }

  /** A result is looked at for a moment, also where the next round has begun while the cards were shown. */
  private async linger(round: RoundView): Promise<void> {
    if (round.state === "open") return;
    if (round.staked > 0 && !isQuick() && !this.skipping) await new Promise((done) => setTimeout(done, LINGER_MS));
    this.seen = round.id;
  }

  /** A coup was shown to its end: the roads have it from now on. */
  private addCoup(round: RoundView): void {
    const shoe = this.view?.round_id === round.id ? shoeOf(this.view, true) : null;
    this.seat = { ...this.seat, ...(shoe ?? { coups: withCoup(this.table, this.seat.coups, round) }) };
  }

  /** Rounds were dealt that this page has not seen: its roads are the house's again. */
  private async loadCoups(): Promise<void> {
    if (this.view?.shoe != null) return;
    const coups = await lastCoups(this.table, this.view).catch(() => null);
    if (coups !== null && coups.length > 0 && !this.left) this.seat = { ...this.seat, coups };
  }

  private async countMoney(): Promise<void> {
    await house.refresh();
    if (house.me !== null && this.sending === null) this.ownBalance = house.me.balance;
  }

  /** No more bets: open the seed, once. */
  private async openSeed(view: LiveView): Promise<void> {
    const seed = this.seed.toOpen(view);
    if (seed !== null) await this.act("POST", "seed", { seed });
  }

  // What the player does.

  private async act(method: "POST" | "PUT" | "DELETE", what: string, body?: unknown): Promise<boolean> {
    const done = await actAtTable(this.table.id, method, what, body);
    if (!(done instanceof Refused)) {
      this.ownBalance = done.balance;
      return true;
    }
    caring.onRefused(done);
    if (!SILENT.includes(done.code)) this.refuse(reasonOf(done));
    return false;
  }

  async sit(seat: number | null = null): Promise<boolean> {
    if (this.mySeat !== null) return true;
    const wanted = { ...(seat !== null && { seat }), ...(this.table.own_chips && { chip: this.chip }) };
    const done = await this.act("POST", "seat", wanted);
    if (done) this.hear(await house.client.liveTable(this.table.id));
    return done;
  }

  async standUp(): Promise<void> {
    if (this.mySeat === null) return;
    if (this.resting !== undefined) await this.send(); // chips that were just moved are meant
    const hasBet = this.held > 0;
    this.isLeaving = true;
    if (await this.act("DELETE", "seat")) {
      house.tell(hasBet ? t.live.leavesAfter : t.live.left);
      this.hear(await house.client.liveTable(this.table.id));
    }
  }

  override place(seat: number, wager: string): void {
    if (this.phase !== "betting") return;
    if (this.hasPlaces && this.mySeat !== null && seat !== this.mySeat) return this.refuse(t.live.notYours);
    if (this.hasPlaces && this.mySeat === null && this.personAt(seat) !== null) return this.refuse(t.live.seatTaken);
    if (this.mySeat !== null) return super.place(seat, wager);
    void this.sit(this.hasPlaces ? seat : null).then((sits) => sits && super.place(this.ownFelt, wager));
  }

  override takeBack(seat: number, wager: string): void {
    if (seat === this.ownFelt) super.takeBack(seat, wager);
  }

  override rebet(factor = 1): boolean {
    if (this.phase === "after") return false;
    this.slip = { ...this.slip, last: this.ownLast() };
    return super.rebet(factor);
  }

  /** Chips have moved: tell the house once the hand rests. */
  protected override lay(slip: slips.Slip): void {
    super.lay(slip);
    clearTimeout(this.resting);
    this.resting = undefined;
    if (this.view?.phase !== "betting" || isSame(this.squares(this.confirmed), slip.bets)) return;
    this.resting = setTimeout(() => {
      this.resting = undefined;
      void this.send();
    }, REST_MS);
  }

  /** Bring what lies on the felt into the books. */
  private send(): Promise<void> {
    this.sending ??= this.sendAll().finally(() => (this.sending = null));
    return this.sending;
  }

  private async sendAll(): Promise<void> {
    clearTimeout(this.resting);
    this.resting = undefined;
    while (this.view?.phase === "betting" && this.unopened.length === 0 && this.mySeat !== null) {
      const { round_id: round } = this.view;
      const stakes = stakesOn(this.slip.bets, this.ownFelt);
      if (isSame(stakes, this.confirmed)) return;
      const seed = await commitmentOf(this.seed.of(round));
      if (!(await this.act("PUT", "bet", { stakes, seed }))) {
        super.lay({ ...this.slip, bets: this.squares(this.confirmed), steps: [] });
        return;
      }
      if (this.view?.round_id !== round) return;
      this.confirmed = stakes;
    }
  }

  async deal(): Promise<void> {
    if (this.phase !== "betting") return;
    if (slips.total(this.slip.bets) === 0) return this.refuse(t.table.placeFirst);
    if (this.unopened.length > 0 || this.isReady) return;
    house.hush();
    await this.send();
    if (this.held > 0 && this.view?.phase === "betting") await this.act("POST", "ready");
  }

  override async rebetAndDeal(): Promise<void> {
    if (this.phase === "after") this.again = this.lastTotal > 0;
    else if (this.rebet()) await this.deal();
  }

  async choose(choice: string): Promise<void> {
    const number = this.view?.turn?.number;
    if (number === undefined || !this.awaiting?.options.includes(choice) || this.asking) return;
    this.asking = true;
    play("chip");
    try {
      if (!(await this.act("POST", "choices", { choice, number }))) await this.lookAgain();
    } finally {
      this.asking = false;
    }
  }

  newGame(): void {} // the dealer opens the next round
  async lookAgain(): Promise<void> {
    if (this.left) return;
    this.hear(await house.client.liveTable(this.table.id));
    await this.countMoney();
  }

  async askCoach(): Promise<void> {} // nobody is advised at a table that others share

  leave(): void {
    this.left = true;
    clearTimeout(this.resting);
    this.stream.close();
  }
}

/** The session of a live table; null where somebody plays alone. */
export const asLive = (session: FeltSession): LiveSession | null => (session instanceof LiveSession ? session : null);
