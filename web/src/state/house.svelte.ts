/** The house as this page knows it: who plays, which tables there are, whether the line is up. */

import { Client, Refused } from "../api/client";
import type { Me, Table } from "../api/types";
import { t } from "../texts";

class House {
  me: Me | null = $state(null);
  tables: Table[] = $state([]);
  connected = $state(true);
  notice: { text: string; kind: "info" | "refused" } | null = $state(null);
  private hush: ReturnType<typeof setTimeout> | undefined;

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
      this.tell(problem instanceof Error ? problem.message : t.problem, "refused");
      return false;
    }
  }

  tell(text: string, kind: "info" | "refused" = "info"): void {
    this.notice = { text: text.charAt(0).toUpperCase() + text.slice(1), kind };
    clearTimeout(this.hush);
    this.hush = setTimeout(() => (this.notice = null), kind === "refused" ? 6000 : 3500);
  }
}

export const house = new House();
