/** What went wrong, in words for the player. The server's code picks the sentence; its own text is for programs. */

import { Refused } from "../api/client";
import { t } from "../texts";

/** Who is away is told until when, by the clock and the calendar of the page. */
const when = (at: string): string => new Intl.DateTimeFormat(t.locale, { dateStyle: "medium", timeStyle: "short" }).format(new Date(at));

export function reasonOf(problem: unknown): string {
  if (!(problem instanceof Refused)) return t.problem;
  const sentence = t.refusals[problem.code] ?? t.problem;
  const until = problem.problem.until_at;
  return until == null ? sentence : t.care.until(sentence, when(until));
}
