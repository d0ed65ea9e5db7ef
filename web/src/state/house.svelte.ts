/** The house as this page knows it: who plays, which tables there are, whether the line is up. */

import { Client, Refused } from "../api/client";
import type { Me, Table } from "../api/types";
import { t } from "../texts";
import { reasonOf } from "./refusal";

class House {
  me: Me | null = $state(null);
  tables: Table[] = $state([]);
  connected = $state(true);
  /** A table is open and shows notices in its own prompt line. */
  hasPrompt = $state(false);
  notice: { text: string; kind: "info" | "refused" } | null = $state(null);
  private silence: ReturnType<typeof setTimeout> | undefined;

  readonly client = new Client((connected) => {
    this.connected = connected;
    if (connected) this.tell(t.connection.back);
  });

  /** Come in: as whoever the cookie says, or as a guest. */
  async enter(): Promise<void> {
    try {
      this.me = await this.client.me();
    } catch (problem) {
      if (!(problem instanceof Refused) || problem.status !== 401) throw problem;
      this.me = (await this.client.guest()).player;
    }
    await this.loadTables();
  }

  async signUp(name: string, password: string): Promise<void> {
    this.me = (await this.client.register(name, password)).player;
  }

  async signIn(name: string, password: string): Promise<void> {
    this.me = (await this.client.signIn(name, password)).player;
  }

  /** Leave the account; the house is open to guests. */
  async signOut(): Promise<void> {
    await this.client.signOut();
    this.me = (await this.client.guest()).player;
  }

  async loadTables(): Promise<void> {
    this.tables = (await this.client.tables()).tables;
    if (this.tables.some((table) => table.prices === null)) setTimeout(() => void this.loadTables(), 4000);
  }

  async refresh(): Promise<void> {
    this.me = await this.client.me();
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
