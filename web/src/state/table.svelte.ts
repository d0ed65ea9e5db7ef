/** One player at one table: bets, the round with its timeline, and what the buttons may do. The rules stay outside. */

import { newKey, Refused } from "../api/client";
import type { Advice, RoundView, Seat, Table } from "../api/types";
import { caring } from "../care/care.svelte";
import { inForce } from "../care/policy.svelte";
import { loadFelt } from "../tables/felts";
import { said, t } from "../texts";
import { FeltSession, type Phase } from "./felt.svelte";
import { house } from "./house.svelte";
import { lastCoups } from "./coups";
import { LiveSession } from "./live.svelte";
import { type Memory, memoryOf, NOTHING, recall, recallBets, remember } from "./memory";
import { options } from "./options.svelte";
import { reasonOf } from "./refusal";
import * as slips from "./slip";

/** The server is ahead of this page: look again instead of failing. */
const BEHIND = ["round-open", "out-of-turn", "other-commitment", "not-seated", "not-open", "round-closed"];

export class TableSession extends FeltSession {
  private memory: Memory = $state.raw(NOTHING);
  private readonly others: BroadcastChannel | null;

  constructor(table: Table, seat: Seat) {
    super(table, seat);
    this.memory = recall(this.player, table.id);
    const bets = seat.round === null ? slips.stillTaken(recallBets(this.player, table.id), this.house) : {};
    this.slip = { ...slips.EMPTY, bets, last: this.memory.last };
    if (seat.round !== null) this.resume(seat.round, t.table.resumed);
    this.others = globalThis.BroadcastChannel === undefined ? null : new BroadcastChannel(`pairhouse.${table.id}`);
    if (this.others !== null) this.others.onmessage = () => void this.lookAgain();
  }

  phase: Phase = $derived.by(() => {
    if (this.round === null) return this.asking ? "dealing" : "betting";
    if (this.isPlayingOut || (this.asking && this.round.state === "open")) return "dealing";
    return this.round.state === "open" ? "choosing" : "after";
  });
  balance = $derived(this.ownBalance - (this.round ?? this.free.paying ? 0 : slips.total(this.slip.bets)));

  feltSeat(seat: number): number {
    return this.memory.numbers[seat - 1] ?? seat;
  }

  roundSeat(felt: number): number {
    const at = this.memory.numbers.indexOf(felt);
    return this.memory.numbers.length === 0 ? felt : at + 1;
  }

  newGame(): void {
    if (this.phase !== "after") return;
    this.round = null;
    this.shown = 0;
    this.lay(slips.dealt(this.slip.last));
  }

  // The round.

  async deal(): Promise<void> {
    if (this.phase !== "betting") return;
    if (slips.total(this.slip.bets) === 0) return this.refuse(t.table.placeFirst);
    if (this.unopened.length > 0) return; // the prompt says which bet is missing
    if (inForce.waitMs > 0) return this.refuse(t.care.soon(new Intl.NumberFormat(t.locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(inForce.waitMs / 1000)));
    const { bets } = this.slip;
    const { seats, numbers } = slips.wagers(bets);
    const seed = options.ownSeed || newKey();
    house.hush();
    const before = this.memory;
    this.keep({ last: before.last, round: "", seats, numbers });
    await this.ask(async () => {
      const free = this.free.paying?.id ?? null;
      const round = await house.client.deal(this.table.id, seats, seed, this.seat.commitment, this.declined, free);
      inForce.dealt();
      this.keep(memoryOf(round, this.memory));
      this.lay(slips.dealt(this.memory.last));
      this.coach.forget();
      this.ownBalance -= round.staked - (round.free?.staked ?? 0);
      this.begin(round, 0);
    });
    if (this.memory.round === "") this.keep(before); // refused: the house has none of it
  }

  /** Offers that the round is not to make: they are declined with the bet. */
  private get declined(): string[] {
    return options.insurance === "never" && this.table.game.choices.includes("no-insurance") ? ["insurance"] : [];
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
      this.warning = { choice, text: said(warning, awaiting.warning_keys?.[choice]) };
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

  /** Ask the server; where this page is behind the round, catch up instead of failing. */
  private async ask(act: () => Promise<void>): Promise<void> {
    this.asking = true;
    try {
      await act();
    } catch (problem) {
      if (!(problem instanceof Refused)) throw problem;
      caring.onRefused(problem);
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
      this.learn(recall(this.player, this.table.id)); // another window may have played meanwhile
      await this.findLast();
    }
  }

  /** The last game may be another one than this page has shown: the felt is cleared of the older, and REBET is the newer. */
  private learn(memory: Memory): void {
    if (memory.round !== this.memory.round) this.newGame();
    this.memory = memory;
    this.slip = { ...this.slip, last: memory.last };
  }

  private resume(round: RoundView, says: string): void {
    this.keep(memoryOf(round, recall(this.player, this.table.id)));
    this.lay(slips.dealt(this.memory.last));
    this.round = round;
    this.shown = round.view.events.length;
    if (!this.left) house.tell(says);
    void this.offer();
  }

  /** REBET is the last game as the house has it, also where another browser has played it. */
  async findLast(played = house.client.rounds(null, this.table.id, {}, 1)): Promise<void> {
    const before = this.memory;
    const [latest] = (await played).rounds;
    if (this.left || this.asking || this.round?.state === "open") return;
    if (latest === undefined || latest.id === before.round || latest.state === "open") return;
    const memory = memoryOf(await house.client.round(latest.id), before);
    if (this.left || this.asking || this.memory !== before) return; // it went on meanwhile
    remember(this.player, this.table.id, memory);
    this.learn(memory);
  }

  protected async settleDown(round: RoundView): Promise<void> {
    if (this.round !== round) return;
    this.ownBalance = round.balance;
    if (!this.left) this.others?.postMessage(round.id); // a channel that is closed takes no message
    if (round.state === "open") return this.offer();
    if (!this.left) this.celebrate(round);
    const seat = await house.client.sit(this.table.id); // the next commitment, the roads, the meter
    if (this.round === round) this.seat = seat;
    await house.refresh();
  }

  /** A choice is awaited: let the coach look. */
  private async offer(): Promise<void> {
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
    coups: [],
    round: null,
  };
  const session = new TableSession(table, seat);
  session.leave();
  session.look(round, 0);
  return session;
}

/** Sit down at a table, alone or with others. */
export async function sitDown(id: string): Promise<FeltSession> {
  const path = encodeURIComponent(id);
  const table = await house.tableOf(path);
  const felt = loadFelt(table.game);
  const found = table.live ? joinLive(table) : sitAlone(table, path);
  await felt;
  return found;
}

async function sitAlone(table: Table, path: string): Promise<TableSession> {
  const played = house.client.rounds(null, table.id, {}, 1);
  played.catch(() => undefined); // said where it is awaited
  const session = new TableSession(table, await house.client.sit(path));
  await session.findLast(played).catch(() => undefined); // without it REBET is what this browser knows
  return session;
}

/** At a table that several people share: to play, or to watch. */
async function joinLive(table: Table): Promise<LiveSession> {
  const [news, me] = await Promise.all([house.client.liveTable(table.id), house.client.me()]);
  const seat: Seat = {
    table: table.id,
    balance: me.balance,
    commitment: news.view?.commitment ?? "",
    nonce: 0,
    last_client_seed: null,
    meter: null,
    shoe: null,
    coups: await lastCoups(table, news.view),
    round: null,
  };
  return new LiveSession(table, seat, news);
}
