/** The pit: what a supervisor asks the house for. It has a session of its own, which ends with the tab. */

import { Refused } from "../api/client";
import type { GameOption, PitAct, PitDone, PitFloor, PitShoes, Problem, Shift, Table } from "../api/types";

const KEPT = "pairhouse-pit";

export const keptToken = (): string => sessionStorage.getItem(KEPT) ?? "";

async function ask<T>(method: string, path: string, token: string, body?: unknown): Promise<T> {
  const headers: Record<string, string> = {};
  if (token !== "") headers.Authorization = `Bearer ${token}`;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const answer = await fetch(path, { method, headers, body: body === undefined ? null : JSON.stringify(body) });
  if (!answer.ok) throw new Refused(answer.status, (await answer.json()) as Problem);
  return (answer.status === 204 ? null : await answer.json()) as T;
}

export async function signIn(name: string, password: string): Promise<string> {
  const shift = await ask<Shift>("POST", "/pit/sessions", "", { name, password });
  sessionStorage.setItem(KEPT, shift.token);
  return shift.token;
}

/** This window knows the session no more; what else it keeps is not the pit's. */
export const forget = (): void => sessionStorage.removeItem(KEPT);

export async function signOut(token: string): Promise<void> {
  forget();
  await ask("DELETE", "/pit/sessions", token);
}

export const look = (token: string, find = ""): Promise<PitFloor> =>
  ask("GET", find === "" ? "/pit/floor" : `/pit/floor?find=${encodeURIComponent(find)}`, token);
export const followedShoes = (token: string): Promise<PitShoes> => ask("GET", "/pit/shoes", token);
export const optionsOf = async (table: string): Promise<GameOption[]> =>
  (await ask<Table>("GET", `/tables/${encodeURIComponent(table)}`, "")).game.options.filter((one) => Array.isArray(one.accepted) && one.accepted.length > 1);
export const act = (token: string, what: PitAct): Promise<PitDone> => ask("POST", "/pit/acts", token, what);
