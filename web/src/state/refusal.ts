/** What went wrong, in words for the player. The server's code picks the sentence; its own text is for programs. */

import { Refused } from "../api/client";
import { t } from "../texts";

export function reasonOf(problem: unknown): string {
  return problem instanceof Refused ? (t.refusals[problem.code] ?? t.problem) : t.problem;
}
