/** A player's seed for one round of a live table: committed to with the bet, kept in this browser, opened after the close. */

import { newKey } from "../api/client";
import { readKept, writeKept } from "./memory";

interface Kept {
  round: string;
  seed: string;
}

const keyOf = (player: string, table: string): string => `pairhouse.seed.${player}.${table}`;

/** The seed this browser keeps for a round; null where it has none. */
export function keptSeed(player: string, table: string, round: string): string | null {
  const kept = readKept(keyOf(player, table)) as Kept | null;
  return kept?.round === round ? kept.seed : null;
}

/** The seed for a round: the one kept, or a new one. Every window of this browser has the same. */
export function seedFor(player: string, table: string, round: string, own = ""): string {
  const kept = keptSeed(player, table, round);
  if (kept !== null) return kept;
  const seed = own === "" ? newKey() : own;
  writeKept(keyOf(player, table), { round, seed } satisfies Kept);
  return seed;
}

type Hash = (bytes: Uint8Array) => Uint8Array;
const VERIFIER = import.meta.glob<{ sha256: Hash }>("../../../verifier/verifier.js");

/** SHA-256 of a seed's text, in hex. Pages that are not served over HTTPS have no cryptography of the browser's. */
export async function commitmentOf(seed: string): Promise<string> {
  const text = new TextEncoder().encode(seed);
  const digest = globalThis.crypto.subtle === undefined ? await ownHash(text) : new Uint8Array(await crypto.subtle.digest("SHA-256", text));
  return [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function ownHash(text: Uint8Array): Promise<Uint8Array> {
  const load = Object.values(VERIFIER)[0];
  if (load === undefined) throw new Error("no SHA-256 in this build");
  return (await load()).sha256(text);
}
