/** The felts, each loaded when its game is played; all of them come while the lobby is looked at. */

import type { Component } from "svelte";

import type { GameRecord } from "../api/types";
import { type FeltName, feltOf, loadAnyGame } from "./anygame";

const LOADERS: Record<FeltName, () => Promise<{ default: Component }>> = {
  baccarat: () => import("./Baccarat.svelte"),
  blackjack: () => import("./Blackjack.svelte"),
  "three-card": () => import("./ThreeCard.svelte"),
  "la-paire": () => import("./LaPaire.svelte"),
  any: loadAnyGame,
};
const loaded: Partial<Record<FeltName, Component>> = {};

export async function loadFelt(game: GameRecord): Promise<void> {
  const name = feltOf(game);
  loaded[name] ??= (await LOADERS[name]()).default;
}

/** The felt of a game, once it is loaded. */
export const feltFor = (game: GameRecord): Component | undefined => loaded[feltOf(game)];
