/** An act at a live table, sent until it is answered for the table as it is. */

import { Refused } from "../api/client";
import type { LiveDone } from "../api/types";
import { house } from "./house.svelte";

const TRIES = 5;

/** What came of it, or why it was refused. Whoever acts at the same moment as another is asked to do it again. */
export async function actAtTable(table: string, method: "POST" | "PUT" | "DELETE", what: string, body?: unknown): Promise<LiveDone | Refused> {
  for (let tries = 1; ; tries++) {
    try {
      return await house.client.actLive(table, method, what, body);
    } catch (problem) {
      if (!(problem instanceof Refused)) throw problem;
      if (problem.code !== "table-moved" || tries >= TRIES) return problem;
    }
  }
}
