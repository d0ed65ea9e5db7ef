/** The way to the verifier: code of its own that shares nothing with the server, loaded only when it is asked for. */

import type { RoundView } from "./api/types";

export interface Check {
  name: string;
  ok: boolean;
  detail: string;
}

export interface Verdict {
  ok: boolean;
  checks: Check[];
}

export type Verify = (round: RoundView) => Verdict | Promise<Verdict>;

// Found at build time; a tree without the verifier still builds.
const FOUND = import.meta.glob<{ verify: Verify }>("../../verifier/verifier.js");

/** The verifier, or null where this build has none. */
export async function loadVerifier(): Promise<Verify | null> {
  const load = Object.values(FOUND)[0];
  return load === undefined ? null : (await load()).verify;
}
