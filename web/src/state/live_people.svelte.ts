/** Who sits at a live table, with names, colours and chips; the server's news tell of all of them. */

import type { LiveNews, LiveSeat, LiveView, Seat, Seated, Table } from "../api/types";
import { t } from "../texts";
import { FeltSession } from "./felt.svelte";
import { colourOf, nameOf } from "./live";
import { amount } from "./money";

export abstract class LivePeople extends FeltSession {
  /** What was heard last; the felt may still show the round before. */
  news: LiveNews = $state.raw() as LiveNews;
  view: LiveView | null = $state.raw(null);

  constructor(table: Table, seat: Seat, news: LiveNews) {
    super(table, seat);
    this.news = news;
  }

  mySeat: number | null = $derived(this.news.view?.seat ?? null);
  seated: Seated[] = $derived(this.news.seated);
  seats: number | null = $derived(this.news.seats ?? null);
  watching = $derived(this.news.watching ?? 0);
  /** Every seat has somebody, and none is this player's; the house gives the seat of who has gone to whoever asks. */
  isFull = $derived(this.mySeat === null && this.seats !== null && this.seated.length >= this.seats);
  /** The felt has a place for each seat; otherwise everybody bets on the same spots. */
  get hasPlaces(): boolean {
    return this.table.game.seats_per_player > 1;
  }
  get ownFelt(): number {
    return this.hasPlaces ? (this.mySeat ?? 0) : 1;
  }
  /** The colour of a seat; where chips are one's own, the one its player has for the sitting. */
  colour(seat: number): string {
    return colourOf(this.bettor(seat)?.colour || this.person(seat)?.colour || seat);
  }
  override get ownColour(): string | undefined {
    return this.seats === null && this.mySeat !== null ? this.colour(this.mySeat) : undefined;
  }
  /** What each chip of a seat is worth for the sitting; 0 where chips have their value printed on them. */
  chipOf(seat: number): number {
    return this.bettor(seat)?.chip || this.person(seat)?.chip || 0;
  }
  get ownChip(): number {
    return this.mySeat === null ? 0 : this.chipOf(this.mySeat);
  }
  override get chips(): number[] {
    return this.ownChip > 0 ? [this.ownChip] : super.chips;
  }
  override get chipsSay(): string {
    if (!this.table.own_chips) return "";
    return this.ownChip > 0 ? t.live.chipsYours(amount(this.ownChip)) : t.live.chipsChoose;
  }
  private person(seat: number): Seated | undefined {
    return this.seated.find((one) => one.seat === seat);
  }
  bettor(seat: number): LiveSeat | undefined {
    return this.view?.seats.find((one) => one.seat === seat);
  }
  personAt(seat: number): string | null {
    const found = this.seated.find((one) => one.seat === seat)?.name ?? this.bettor(seat)?.name;
    return found === undefined ? null : nameOf(found);
  }
  nameIn(view: LiveView, seat: number): string {
    return nameOf(view.seats.find((one) => one.seat === seat)?.name ?? "");
  }
}
