/** The coups this browser has seen at a live baccarat table, for its roads. */

import type { Coup, RoundView, Side, Table } from "../api/types";
import { readKept, writeKept } from "./memory";

const KEPT_MAX = 90;
const GAME = "nepal-super-baccarat";
const keyOf = (table: Table): string => `pairhouse.coups.${table.id}`;

export const keptCoups = (table: Table): Coup[] => (table.game.id === GAME ? ((readKept(keyOf(table)) as Coup[] | null) ?? []) : []);

/** The coups with the one that was just dealt. */
export function withCoup(table: Table, coups: Coup[], round: RoundView): Coup[] {
  if (table.game.id !== GAME || coups.some((coup) => coup.round === round.id)) return coups;
  const found = coupOf(round);
  if (found === null) return coups;
  const kept = [...coups, found].slice(-KEPT_MAX);
  writeKept(keyOf(table), kept);
  return kept;
}

const rankOf = (card: string): string => card.slice(0, -1);
const pointsOf = (card: string): number => (rankOf(card) === "A" ? 1 : Number(rankOf(card)) % 10 || 0);
const totalOf = (cards: readonly string[]): number => cards.reduce((sum, card) => sum + pointsOf(card), 0) % 10;
const isPair = ([one = "", other = ""]: readonly string[]): boolean => rankOf(one) === rankOf(other);

export function coupOf(round: RoundView): Coup | null {
  const cardsAt = (at: string): string[] =>
    (round.view.hands.find((hand) => hand.at === at)?.cards ?? []).filter((card): card is string => card !== null);
  const [player, banker] = [cardsAt("Player"), cardsAt("Banker")];
  if (player.length < 2 || banker.length < 2) return null;
  const [mine, theirs] = [totalOf(player), totalOf(banker)];
  const winner: Side = mine === theirs ? "tie" : mine > theirs ? "player" : "banker";
  return {
    round: round.id,
    winner,
    player_total: mine,
    banker_total: theirs,
    player_pair: isPair(player),
    banker_pair: isPair(banker),
    player_cards: player.length,
    banker_cards: banker.length,
  };
}
