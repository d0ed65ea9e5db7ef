/** The coups of a live baccarat table, for its roads: the house tells what was dealt, and each new one is added. */

import type { Coup, LiveView, RoundView, Seat, Side, Table } from "../api/types";
import { house } from "./house.svelte";

const SHOWN_MAX = 72;
const GAME = "nepal-super-baccarat";

/** The last coups of a table that is shuffled for every one; a shoe tells its own. */
export async function lastCoups(table: Table, view: LiveView | null): Promise<Coup[]> {
  if (table.game.id !== GAME || view?.shoe != null) return [];
  return (await house.client.liveResults(table.id)).results;
}

/** The coups with the one that was just dealt. */
export function withCoup(table: Table, coups: Coup[], round: RoundView): Coup[] {
  if (table.game.id !== GAME || coups.some((coup) => coup.round === round.id)) return coups;
  const found = coupOf(round);
  return found === null ? coups : [...coups, found].slice(-SHOWN_MAX);
}

/** The shoe and its coups as the roads draw them; the coup on the felt is among them once it was shown. */
export function shoeOf(view: LiveView, isShown: boolean): Pick<Seat, "shoe" | "coups"> | null {
  const { shoe } = view;
  if (shoe == null) return null;
  const lines = shoe.results.slice(0, shoe.coup - (isShown ? 0 : 1)) as unknown as Omit<Coup, "round">[];
  return {
    shoe: { number: shoe.number, cards: shoe.cards, dealt: shoe.cards - shoe.left, cut_card: shoe.cut_card, last_round: shoe.is_last, finished: false },
    coups: lines.map((line, index) => ({ ...line, round: `${String(shoe.number)}-${String(index + 1)}` })),
  };
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
