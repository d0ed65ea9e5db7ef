/** What went wrong, in words for the player. The server's code picks the sentence; its own text is for programs. */

import { Refused } from "../api/client";
import { t } from "../texts";

/** Who is away is told until when; the time is the one thing taken from the server's own sentence. */
const AWAY = ["on-break", "self-excluded"];
const UNTIL = /\d{4}-\d{2}-\d{2} \d{2}:\d{2} UTC/;

export function reasonOf(problem: unknown): string {
  if (!(problem instanceof Refused)) return t.problem;
  const sentence = t.refusals[problem.code] ?? t.problem;
  const until = AWAY.includes(problem.code) ? UNTIL.exec(problem.message)?.[0] : undefined;
  return until === undefined ? sentence : t.care.until(sentence, until);
}
