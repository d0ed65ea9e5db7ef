/** A small typed client. What moves money carries a key, so that asking again after a lost connection is safe. */

import type {
  Advice,
  CalledOff,
  Charts,
  Coup,
  Drill,
  LiveDone,
  LiveLine,
  LiveNews,
  Me,
  Problem,
  Revealed,
  Review,
  RoundPage,
  RoundView,
  Rulebook,
  Seat,
  SeedRecord,
  Session,
  Stakes,
  Statistics,
  Table,
} from "./types";

const WAITS_MS = [400, 800, 1600, 3000, 5000];
const ATTEMPT_LIMIT_MS = 12_000;
const PASSING = new Set([502, 503, 504]);

/** The server said no, in a sentence for people and a code for programs. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly problem: Problem,
  ) {
    super(problem.error);
  }

  get code(): string {
    return this.problem.code;
  }
}

/** Told whenever the connection is lost and when it is back. */
export type Watch = (connected: boolean) => void;

export interface Ask {
  method: "GET" | "POST" | "PUT" | "DELETE";
  path: string;
  body?: unknown;
  key?: string;
  /** Anybody may ask this, so an answer does not keep the session awake. */
  isPublic?: boolean;
}

/** Which rounds are meant: of one game, from a time on. */
export interface Selection {
  game?: string;
  since?: string;
}

export function queryOf({ game, since }: Selection): URLSearchParams {
  const query = new URLSearchParams();
  if (game !== undefined) query.set("game", game);
  if (since !== undefined) query.set("since", since);
  return query;
}

export class Client {
  /** How often a lost request is asked again before giving up; without end by default. */
  attempts = Number.POSITIVE_INFINITY;
  /** When the house last answered as to a player who is there. */
  heardAt = Date.now();
  /** Called when the house no longer knows the session. */
  onEnded: () => void = () => undefined;

  constructor(
    private readonly watch: Watch = () => undefined,
    private readonly fetcher: typeof fetch = (input, init) => fetch(input, init),
    private readonly wait: (ms: number) => Promise<void> = (ms) => new Promise((done) => setTimeout(done, ms)),
  ) {}

  guest = (): Promise<Session> => this.ask({ method: "POST", path: "/guests", body: {} });
  signIn = (name: string, password: string): Promise<Session> =>
    this.ask({ method: "POST", path: "/sessions", body: { name, password } });
  takeName = (name: string, password: string): Promise<Me> =>
    this.ask({ method: "POST", path: "/players/me/account", body: { name, password } });
  changePassword = (password: string, newPassword: string): Promise<null> =>
    this.ask({ method: "POST", path: "/players/me/password", body: { password, new_password: newPassword } });
  notices = (): Promise<{ notices: CalledOff[] }> => this.ask({ method: "GET", path: "/players/me/notices" });
  signOut = (): Promise<null> => this.ask({ method: "DELETE", path: "/sessions" });
  me = (): Promise<Me> => this.ask({ method: "GET", path: "/players/me" });
  playMoney = (): Promise<Me> => this.ask({ method: "POST", path: "/players/me/play-money", body: {}, key: newKey() });
  tables = (): Promise<{ tables: Table[] }> => this.look("/tables?brief=true");
  table = (id: string): Promise<Table> => this.look(`/tables/${id}`);
  charts = (table: string): Promise<Charts> => this.look(`/tables/${table}/charts`);
  rules = (game: string): Promise<Rulebook> => this.look(`/games/${game}/rules`);
  sit = (table: string): Promise<Seat> => this.ask({ method: "POST", path: `/tables/${table}/sit`, body: {} });
  newSeed = (table: string): Promise<Revealed> =>
    this.ask({ method: "POST", path: `/tables/${table}/seed`, body: {} });
  seeds = (table: string): Promise<{ seeds: SeedRecord[] }> =>
    this.ask({ method: "GET", path: `/players/me/seeds?table=${encodeURIComponent(table)}` });
  round = (id: string): Promise<RoundView> => this.ask({ method: "GET", path: `/rounds/${id}` });
  replay = (id: string): Promise<RoundView> => this.ask({ method: "GET", path: `/rounds/${id}/replay` });
  advice = (round: string): Promise<Advice> => this.ask({ method: "GET", path: `/rounds/${round}/advice` });

  statistics = (chosen: Selection): Promise<Statistics> =>
    this.ask({ method: "GET", path: `/players/me/statistics?${queryOf(chosen)}` });
  review = (round: string): Promise<Review> => this.ask({ method: "GET", path: `/rounds/${round}/review` });
  drills = (table: string): Promise<{ drills: Drill[] | null }> =>
    this.look(`/tables/${encodeURIComponent(table)}/drills`);

  live = (): Promise<{ tables: LiveLine[] }> => this.look("/live");
  /** What the last rounds of a live table came to, for its roads. */
  liveResults = (table: string): Promise<{ results: Coup[] }> => this.look(`/tables/${table}/live/results`);
  liveTable = (table: string): Promise<LiveNews> => this.ask({ method: "GET", path: `/tables/${table}/live` });

  /** Open a table for friends, like a live one. */
  openForFriends = (like: string): Promise<{ table: string }> => this.ask({ method: "POST", path: "/live", body: { like } });

  /** What somebody does at a live table. */
  actLive(table: string, method: "POST" | "PUT" | "DELETE", what: string, body?: unknown): Promise<LiveDone> {
    return this.ask({ method, path: `/tables/${table}/live/${what}`, body, key: newKey() });
  }

  /** Bet and deal. Offers named in `decline` are declined with the bet; a free bet pays the stakes, where one is named. */
  deal(
    table: string,
    seats: Stakes[],
    clientSeed: string,
    commitment: string,
    decline: string[] = [],
    freeBet: string | null = null,
  ): Promise<RoundView> {
    const more = { ...(decline.length > 0 && { decline }), ...(freeBet !== null && { free_bet: freeBet }) };
    const body = { table, seats, client_seed: clientSeed, commitment, ...more };
    return this.ask({ method: "POST", path: "/rounds", body, key: newKey() });
  }

  choose(round: string, choice: string, number: number): Promise<RoundView> {
    return this.ask({ method: "POST", path: `/rounds/${round}/choices`, body: { choice, number }, key: newKey() });
  }

  rounds(before: string | null = null, table: string | null = null, chosen: Selection = {}, most = 20): Promise<RoundPage> {
    const query = queryOf(chosen);
    query.set("limit", String(most));
    if (before !== null) query.set("before", before);
    if (table !== null) query.set("table", table);
    return this.ask({ method: "GET", path: `/players/me/rounds?${query}` });
  }

  private look<T>(path: string): Promise<T> {
    return this.ask({ method: "GET", path, isPublic: true });
  }

  /** Ask until there is an answer. The key stays the same, so the server does the thing once. */
  async ask<T>(ask: Ask): Promise<T> {
    let wasLost = false;
    for (let attempt = 0; ; attempt++) {
      const answer = await this.once(ask);
      if (answer !== null && !(await isPassing(answer))) {
        if (wasLost) this.watch(true);
        wasLost = false;
        const early = await tooSoonMs(answer);
        if (early !== null) {
          await this.wait(early);
          continue;
        }
        if (answer.ok && ask.isPublic !== true) this.heardAt = Date.now();
        return read<T>(answer).catch((problem: unknown) => {
          if (problem instanceof Refused && problem.code === "not-signed-in") this.onEnded();
          throw problem;
        });
      }
      if (attempt + 1 >= this.attempts) throw new Refused(0, { code: "no-connection", error: "no connection" });
      wasLost = true;
      this.watch(false);
      await this.wait(WAITS_MS[Math.min(attempt, WAITS_MS.length - 1)] ?? 5000);
    }
  }

  private async once(ask: Ask): Promise<Response | null> {
    const headers: Record<string, string> = { Accept: "application/json" };
    if (ask.method !== "GET") headers["X-Pairhouse"] = "1";
    if (ask.body !== undefined) headers["Content-Type"] = "application/json";
    if (ask.key !== undefined) headers["Idempotency-Key"] = ask.key;
    const body = ask.body === undefined ? null : JSON.stringify(ask.body);
    const signal = AbortSignal.timeout(ATTEMPT_LIMIT_MS);
    try {
      return await this.fetcher(ask.path, { method: ask.method, headers, body, signal, credentials: "same-origin" });
    } catch {
      return null; // no answer: the connection is gone, or it took too long
    }
  }
}

/** Whether it is worth asking again: the server is away for a moment, or something between us and it answers in its
 * place, as the gate of a hotel's network does. Advice that is refused is a plain no. */
async function isPassing(answer: Response): Promise<boolean> {
  if (answer.ok && answer.status !== 204) return answer.headers.get("Content-Type")?.includes("json") !== true;
  if (!PASSING.has(answer.status)) return false;
  const problem = (await answer.clone().json().catch(() => null)) as Partial<Problem> | null;
  return problem?.code?.startsWith("solver-") !== true;
}

/** How long to wait where the house has just dealt and the same request is taken in a moment. */
async function tooSoonMs(answer: Response): Promise<number | null> {
  if (answer.status !== 429) return null;
  const problem = (await answer
    .clone()
    .json()
    .catch(() => null)) as Partial<Problem> | null;
  return problem?.retry_ms ?? null;
}

async function read<T>(answer: Response): Promise<T> {
  const content: unknown = answer.status === 204 ? null : await answer.json().catch(() => null);
  if (answer.ok) return content as T;
  const problem = content as Partial<Problem> | null;
  throw new Refused(answer.status, {
    ...problem,
    code: problem?.code ?? `http-${answer.status}`,
    error: problem?.error ?? `the server answered ${answer.status}`,
  });
}

/** A fresh key of 32 hex digits for one act. */
export function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
