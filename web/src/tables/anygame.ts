/** What the felt of any game is drawn from: the game's own record, and the events of the round. */

import type { Action, GameRecord, RoundView, Wager } from "../api/types";
import { ratio, shownPrice } from "../state/money";
import type { Scene, SceneHand } from "../state/timeline";
import { capital, said, t } from "../texts";
import type { Step } from "../texts/en/tour";

export type FeltName = "baccarat" | "blackjack" | "three-card" | "la-paire" | "any";

const OWN_FELTS: Record<string, FeltName> = {
  "nepal-super-baccarat": "baccarat",
  "three-card-poker": "three-card",
  "la-paire": "la-paire",
};
/** A seat of the blackjack felt has room for so many side bets. */
const BLACKJACK_SIDES_MAX = 2;

/** Which felt a game is played on. Blackjack's takes any game that is played like it, with up to two side bets. */
export function feltOf(game: GameRecord): FeltName {
  const own = OWN_FELTS[game.id];
  if (own !== undefined) return own;
  const sides = game.wagers.filter((one) => one.follows === undefined && one.id !== "main");
  const isBlackjack = ["hit", "stand"].every((word) => game.choices.includes(word)) && game.wagers.some((one) => one.id === "main");
  return isBlackjack && sides.length <= BLACKJACK_SIDES_MAX ? "blackjack" : "any";
}

/** Bets that lie together, under a heading. */
export interface Section {
  title: string;
  wagers: Wager[];
}

/** The bets of a layout: those that open a game, those beside them, then each group of its own. What a choice adds
 * lies beside the bet it follows. */
export function sectionsOf(game: GameRecord): Section[] {
  const found: Section[] = [];
  for (const wager of game.wagers.filter((one) => one.follows === undefined)) {
    const title = wager.group !== "" ? wager.group : wager.opens === true ? t.anyGame.main : t.anyGame.side;
    let section = found.find((one) => one.title === title);
    if (section === undefined) found.push((section = { title, wagers: [] }));
    section.wagers.push(wager, ...game.wagers.filter((one) => one.follows === wager.id));
  }
  const order = (section: Section): number => [t.anyGame.main, t.anyGame.side].indexOf(section.title) >>> 0;
  return found.sort((one, other) => order(one) - order(other));
}

/** A bet as its spot names it: what the heading of its group says already is left out. */
export function spotName(wager: Wager): string {
  const isSaid = wager.group !== "" && wager.name.startsWith(`${wager.group} `);
  return isSaid ? wager.name.slice(wager.group.length + 1) : wager.name;
}

/** Under the name of a bet: what it pays, or what a choice will lay there. */
export function spotNote(game: GameRecord, wager: Wager): string {
  const base = game.wagers.find((one) => one.id === wager.follows);
  if (base === undefined || wager.stake === "0") return shownPrice(wager);
  return t.anyGame.added(ratio(wager.stake ?? "1"), base.name);
}

/** Bets with a table of prices worth printing on the felt; tables that say the same are printed once. */
export function printedTables(game: GameRecord): Wager[] {
  const told = (wager: Wager): string => JSON.stringify(wager.rows);
  const long = game.wagers.filter((wager) => wager.rows.filter((row) => !/^(0|-.*)$/.test(row.pays ?? "")).length > 2);
  return long.filter((wager, index) => long.findIndex((other) => told(other) === told(wager)) === index);
}

/** The house's places in the game's order, with the cards that lie there. In a game with choices some are never dealt
 * to, so once cards lie, a place without any is left out. */
export function placesShown(game: GameRecord, scene: Scene | null): { name: string; hands: SceneHand[] }[] {
  const all = game.places.map((name) => ({ name, hands: scene?.hands.filter((hand) => hand.at === name) ?? [] }));
  const isEmpty = scene === null || scene.hands.length === 0;
  if (game.actions.length === 0 || (isEmpty && keepers(game) === null)) return all;
  return all.filter(({ hands }) => hands.length > 0);
}

export const placeName = (place: string): string => capital(t.places[place] ?? place);

const actionOf = (game: GameRecord, choice: string): Action | undefined => game.actions.find((one) => one.name === choice);

/** What a choice is called: by the pages, by the bet that it adds, or by its own name. */
export function choiceName(game: GameRecord, choice: string): string {
  const added = actionOf(game, choice)?.wager;
  const wager = feltOf(game) === "any" ? game.wagers.find((one) => one.id === added) : undefined;
  return t.choices[choice] ?? wager?.name ?? capital(choice.replaceAll("-", " "));
}

/** Which cards of the hand each choice keeps, where the choices are about that alone. */
export function keepers(game: GameRecord): ReadonlyMap<string, readonly number[]> | null {
  const all = game.actions.map((action) => [action.name, action.keeps] as const);
  const kept = all.filter((one): one is readonly [string, number[]] => one[1] !== undefined);
  return all.length > 0 && kept.length === all.length ? new Map(kept) : null;
}

/** Cards that the player has given away: those a choice did not keep. */
export function thrown(game: GameRecord, round: RoundView | null): (index: number) => boolean {
  const choices = keepers(game);
  const kept = choices?.get(round?.choices.at(-1) ?? "");
  if (choices === null || kept === undefined) return () => false;
  const size = Math.max(...[...choices.values()].map((cards) => cards.length));
  return (index) => index < size && !kept.includes(index);
}

/** Why bets were paid, in the words of their paytables: "Ante: higher". */
export function paidRows(round: RoundView, game: GameRecord): string {
  const told = round.view.events.flatMap((event) => {
    const wager = game.wagers.find((one) => one.id === event.wager);
    if (event.event !== "settled" || wager === undefined || event.row == null || event.key === wager.otherwise_key) return [];
    const row = said(event.row, event.key);
    return [row === wager.name ? row : `${wager.name}: ${row}`];
  });
  return [...new Set(told)].join(" · ");
}

/** The bet that opens a game, as the prompt asks for it. */
export function openerName(game: GameRecord): string {
  const openers = game.wagers.filter((wager) => wager.opens === true);
  return t.openers[game.id] ?? (openers.length === 1 && openers[0] !== undefined ? openers[0].name : t.opener);
}

/** How a game is played, for a first visit: what it is about, its bets, and where choices are asked. */
export function tourOf(game: GameRecord): Step[] {
  const at = (wager: Wager): string => `.spot[data-wager="${CSS.escape(wager.id)}"]`;
  const [main, ...others] = game.wagers.filter((wager) => wager.opens === true);
  const side = game.wagers.find((wager) => wager.opens === false);
  const chosen = game.actions.map((action) => choiceName(game, action.name));
  const words = t.anyGame.tour;
  const steps: Step[] = [{ at: ".about", text: game.summary }, { at: ".rack", text: words.chips }];
  if (main !== undefined) steps.push({ at: at(main), text: others.length === 0 ? words.opener(main.name) : words.openers(main.name) });
  if (side !== undefined) steps.push({ at: at(side), text: words.side(side.name, shownPrice(side)) });
  if (keepers(game) !== null) steps.push({ at: "[data-prompt]", text: words.keep });
  else if (chosen.length > 0) steps.push({ at: "[data-prompt]", text: words.choices(chosen) });
  return [...steps, { at: ".actions", text: words.deal }];
}

/** The felt of games that are not ours, loaded when one is played. */
export const loadAnyGame = () => import("./AnyGame.svelte");
