/** The house as this page knows it: who plays, which tables there are, whether the line is up. */

import { Client, Refused } from "../api/client";
import type { CalledOff, LiveLine, Me, Table } from "../api/types";
import { said, t } from "../texts";
import { keepTold, toldOf } from "./memory";
import { named } from "./naming";
import { reasonOf } from "./refusal";

const NOTICES_MS = 60_000; // how often somebody who plays on is asked for

class House {
  me: Me | null = $state(null);
  tables: Table[] = $state([]);
  /** Tables that several people share, with how many sit there. */
  live: LiveLine[] = $state.raw([]);
  connected = $state(true);
  /** A table is open and shows notices in its own prompt line. */
  hasPrompt = $state(false);
  /** The session has ended under the player's hands: nothing can be asked until they come in again. */
  ended = $state(false);
  /** Rounds that were called off and that this player has not been told of yet. */
  calledOff: CalledOff[] = $state.raw([]);
  notice: { text: string; kind: "info" | "refused" } | null = $state(null);
  private silence: ReturnType<typeof setTimeout> | undefined;
  private noticesAt = 0;

  readonly client = new Client((connected) => {
    this.connected = connected;
    if (connected) this.tell(t.connection.back);
  });

  /** Come in: as whoever the cookie says, or as a guest. The tables are asked for apart: a table needs only itself. */
  async enter(): Promise<void> {
    this.client.onEnded = () => (this.ended = this.me !== null);
    try {
      this.me = await this.client.me();
    } catch (problem) {
      if (!(problem instanceof Refused) || problem.status !== 401) throw problem;
      this.me = (await this.client.guest()).player;
    }
    void this.hearNotices().catch(() => undefined); // told another time
  }

  /** A guest takes a name: the same player, with the same money and games. */
  async signUp(name: string, password: string): Promise<void> {
    this.me = await this.client.takeName(name, password);
  }

  async hearNotices(): Promise<void> {
    this.noticesAt = Date.now();
    const told = toldOf(this.me?.id ?? "");
    this.calledOff = (await this.client.notices()).notices.filter((one) => !told.includes(one.round));
  }

  /** The player has read them; they are not told again in this browser. */
  markTold(): void {
    keepTold(this.me?.id ?? "", this.calledOff.map((one) => one.round));
    this.calledOff = [];
  }

  /** When the session ends: by the clock, or because nothing was asked for too long; in milliseconds. */
  endsAt(): { clock: number; idle: number } {
    const session = this.me?.session;
    if (session === undefined) return { clock: Infinity, idle: Infinity };
    return { clock: Date.parse(session.ends_at), idle: this.client.heardAt + 1000 * session.idle_s };
  }

  async signIn(name: string, password: string): Promise<void> {
    this.me = (await this.client.signIn(name, password)).player;
    void this.hearNotices().catch(() => undefined);
  }

  /** Come in again after the session has ended, as a guest; what the last guest had stays with that guest. */
  async newGuest(): Promise<void> {
    this.me = (await this.client.guest()).player;
  }

  /** Leave the account; the house is open to guests. */
  async signOut(): Promise<void> {
    await this.client.signOut();
    this.me = (await this.client.guest()).player;
  }

  async loadTables(): Promise<void> {
    this.tables = (await this.client.tables()).tables.map(named);
    if (this.tables.some((table) => table.prices === null)) setTimeout(() => void this.loadTables(), 4000);
  }

  /** A game by its name; one that no table deals any more has none. */
  gameName(id: string): string {
    return t.games[id]?.short ?? this.tables.find((table) => table.game.id === id)?.game.name ?? t.lobby.formerGame;
  }

  /** One table as it is now. */
  async tableOf(id: string): Promise<Table> {
    return named(await this.client.table(id));
  }

  async loadLive(): Promise<void> {
    this.live = (await this.client.live()).tables.map((line) => ({ ...line, name: said(line.name, line.name_key) }));
  }

  /** Ask again who plays and what they have; and, now and then, whether a game of theirs was called off meanwhile. */
  async refresh(): Promise<void> {
    this.me = await this.client.me();
    if (Date.now() - this.noticesAt >= NOTICES_MS) await this.hearNotices().catch(() => undefined);
  }

  async getMoney(): Promise<void> {
    await this.attempt(async () => {
      this.me = await this.client.playMoney();
      this.tell(t.table.gotMoney);
    });
  }

  /** Do it, and say what the server objected to. Gives whether it worked. */
  async attempt(act: () => Promise<void>): Promise<boolean> {
    try {
      await act();
      return true;
    } catch (problem) {
      this.tell(reasonOf(problem), "refused");
      return false;
    }
  }

  tell(text: string, kind: "info" | "refused" = "info"): void {
    this.notice = { text, kind };
    clearTimeout(this.silence);
    this.silence = setTimeout(() => (this.notice = null), kind === "refused" ? 5000 : 3000);
  }

  /** Take the notice away: what it spoke of is over. */
  hush(): void {
    clearTimeout(this.silence);
    this.notice = null;
  }
}

export const house = new House();
