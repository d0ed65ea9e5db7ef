/** What can be done now at a live table, in one sentence; null where the felt's own words say it. */

import { t } from "../texts";
import type { Sentence } from "./felt.svelte";
import { listed, nameOf, roundOf } from "./live";
import type { LiveSession } from "./live.svelte";
import { outcomeOf } from "./outcome";
import { total } from "./slip";

export function sentenceOf(session: LiveSession): Sentence | null {
  const { view, turn } = session;
  if (session.phase === "betting") return betting(session);
  if (session.phase === "choosing" || view === null) return null;
  if (session.round === null) return { text: t.table.noMoreBets, detail: t.live.seedsOpen };
  if (session.phase === "after") {
    if (view.void != null) return { text: t.live.voidTitle, detail: t.live.soon };
    return session.round.staked > 0 ? null : { text: t.live.over, detail: t.live.soon };
  }
  if (turn === null) return null;
  return { text: turn === session.mySeat ? t.live.sent : t.live.decides(session.personAt(turn) ?? ""), detail: "" };
}

function betting(session: LiveSession): Sentence | null {
  const { mySeat, seats, seated, isFull } = session;
  if (mySeat === null && seats !== null) {
    return isFull ? { text: t.live.full, detail: t.live.askSays } : { text: t.live.takeSeat, detail: t.live.watching };
  }
  if (session.unopened.length > 0) return null;
  if (total(session.slip.bets) === 0) return { text: t.table.placeBets, detail: lastResult(session) };
  if (!session.isReady) return { text: t.live.sayReady, detail: t.live.orWait };
  const awaited = seats === null ? (session.view?.seats ?? []) : seated;
  const slow = awaited.filter((one) => one.seat !== mySeat && session.bettor(one.seat)?.is_ready !== true);
  return { text: t.live.ready, detail: slow.length === 0 ? "" : t.live.waitsFor(listed(slow.map((one) => nameOf(one.name)))) };
}

/** What the round before came to for this player, while the next one opens. */
function lastResult({ closed, table, ownBalance }: LiveSession): string {
  if (closed === null || closed.seat === null) return "";
  const round = roundOf(closed, table.id, ownBalance);
  return round.staked === 0 ? "" : t.live.before(outcomeOf(round).text);
}
