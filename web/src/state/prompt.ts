/** The one line that says what is asked, in words. */

import type { Awaiting, GameRecord } from "../api/types";
import { t } from "../texts";
import { choiceName, keepers } from "../tables/anygame";
import { exactAmount } from "./money";
import type { SceneHand } from "./timeline";

/** What the question is about: the hand, what the dealer shows, and where the hand lies when there are several. */
export interface Asked {
  game: GameRecord;
  awaiting: Awaiting;
  hand: SceneHand | undefined;
  dealer: SceneHand | undefined;
  /** The felt's number of the seat, where the player has more than one; null where there is only one. */
  seat: number | null;
  hands: number;
}

const either = new Intl.ListFormat(t.locale, { type: "disjunction" });

/** "Your 16 against a 10", and what can be done about it: "hit, stand or double?" */
export interface Question {
  about: string;
  ask: string;
}

export function question({ game, awaiting, hand, dealer, seat, hands }: Asked): Question {
  const { options, costs } = awaiting;
  const where = t.prompt.where(seat, hands > 1 ? awaiting.hand : null, hands);
  const start = where === "" ? "" : `${where}: `;
  if (options.includes("insurance")) {
    const words = t.prompt.insurance(exactAmount(costs?.["insurance"] ?? 0));
    return { about: upper(start + words), ask: "" };
  }
  if (keepers(game) !== null) return { about: t.anyGame.holdWhich, ask: t.anyGame.holdHow };
  const known = Object.keys(t.prompt.words).filter((word) => options.includes(word));
  const said = [...known, ...options.filter((word) => !known.includes(word))];
  const ask = `${either.format(said.map((word) => t.prompt.words[word] ?? choiceName(game, word).toLocaleLowerCase(t.locale)))}?`;
  const open = dealer?.cards.filter((card) => card.face !== null) ?? [];
  const up = open.length === 1 ? open[0]?.face : undefined;
  const name = hand?.name || onlyCard(hand);
  if (name === "") return { about: upper(start + ask), ask: "" };
  const against = up == null ? "" : t.prompt.against(t.prompt.cards[up.slice(0, -1)] ?? up.slice(0, -1));
  return { about: upper(`${start}${t.prompt.yours(name)}${against}`), ask };
}

const upper = (text: string): string => text.charAt(0).toLocaleUpperCase(t.locale) + text.slice(1);
/** A hand of one card is called by it. */
const onlyCard = (hand: SceneHand | undefined): string => {
  const rank = hand?.cards.length === 1 ? hand.cards[0]?.face?.slice(0, -1) : undefined;
  return rank === undefined ? "" : (t.ranks[rank] ?? rank);
};
const value = (face: string | null | undefined): string => {
  const rank = face?.slice(0, -1) ?? "";
  return ["J", "Q", "K"].includes(rank) ? "10" : rank;
};

/** Left to right; the choice that is made most often lies on the right, under the thumb. */
const ORDER = ["fold", "play", "stand", "hit", "surrender", "double", "split", "no-insurance", "insurance"];

/** Choices as their buttons lie at a table; what a game of its own has comes last. */
export const inOrder = (choices: readonly string[]): string[] => [
  ...ORDER.filter((one) => choices.includes(one)),
  ...choices.filter((one) => !ORDER.includes(one)),
];

/** Why a choice of the game cannot be made on this hand. */
export function whyNot(choice: string, hand: SceneHand | undefined): string {
  const cards = hand?.cards ?? [];
  if ((choice === "double" || choice === "split" || choice === "surrender") && cards.length > 2) return t.why.firstTwo;
  if (choice === "split" && value(cards[0]?.face) !== value(cards[1]?.face)) return t.why.noPair;
  if (choice === "split") return t.why.noMoreSplits;
  return t.why.notNow;
}
