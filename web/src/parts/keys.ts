/** The keyboard of a table: letters for choices and commands, digits for chips, arrows between bets. */

import type { GameRecord } from "../api/types";
import type { FeltSession } from "../state/felt.svelte";
import { feltOf, keepers } from "../tables/anygame";

/** The key of each choice. Where two share one, only one of them is ever offered. */
export const KEYS: Readonly<Record<string, string>> = {
  hit: "h",
  stand: "s",
  double: "d",
  split: "p",
  surrender: "g",
  insurance: "i",
  "no-insurance": "o",
  play: "p",
  fold: "f",
};

/** The key of a choice: the house's for its own felts, else the game's own. "" where it has none of one letter. */
export function keyOf(game: GameRecord, choice: string): string {
  if (feltOf(game) !== "any") return KEYS[choice] ?? "";
  const key = game.actions.find((action) => action.name === choice)?.key ?? "";
  return key.length === 1 ? key.toLowerCase() : "";
}

const COMMANDS: Readonly<Record<string, (session: FeltSession) => unknown>> = {
  u: (session) => session.undo(),
  c: (session) => session.clear(),
  x: (session) => session.doubleBet(),
  n: (session) => session.newGame(),
  r: (session) => session.rebetAndDeal(),
  e: (session) => session.rebet(),
};

/** Deal, or deal the same again, or show the rest at once: whatever comes next. */
function next(session: FeltSession): void {
  if (session.phase === "betting") void session.deal();
  else if (session.phase === "after") void session.rebetAndDeal();
  else if (session.phase === "dealing") session.skip();
  else if (session.holding.choice !== undefined) void session.choose(session.holding.choice);
}

/** Act on a key. Gives whether it meant something here. */
export function onKey(session: FeltSession, event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  const target = event.target instanceof HTMLElement ? event.target : null;
  if (target?.closest("input, select, textarea, dialog") != null) return false;
  const onSpot = target?.closest(".spot") != null;
  const onButton = !onSpot && target?.closest("button, a, summary") != null;
  if (event.key === " " || event.key === "Enter") {
    if (onButton || (onSpot && event.key === "Enter")) return false; // the button has the say
    if (!event.repeat) next(session);
    return true;
  }
  if (event.key.startsWith("Arrow")) return moveFocus(event.key, target);
  return letter(session, event);
}

function letter(session: FeltSession, event: KeyboardEvent): boolean {
  const key = event.key.toLowerCase();
  if (session.awaiting !== null && !event.repeat && choiceBy(session, key)) return true;
  const chip = session.chips[Number(key) - 1];
  if (chip !== undefined) {
    session.chip = chip;
    return true;
  }
  if (event.repeat) return false;
  const command = COMMANDS[key];
  if (command !== undefined) void command(session);
  return command !== undefined;
}

/** A choice by its key; where cards are held, a digit holds one or lets it go. */
function choiceBy(session: FeltSession, key: string): boolean {
  const { game } = session.table;
  if (keepers(game) !== null) {
    const card = Number(key) - 1;
    if (!(card >= 0 && card < session.holding.holdable)) return false;
    session.holding.toggle(card);
    return true;
  }
  const choice = session.awaiting?.options.find((option) => keyOf(game, option) === key);
  if (choice === undefined) return false;
  void session.choose(choice);
  return true;
}

/** To the nearest bet in that direction. */
function moveFocus(key: string, target: HTMLElement | null): boolean {
  const spots = [...document.querySelectorAll<HTMLElement>(".spot")].filter((spot) => spot.offsetParent !== null);
  const here = target?.closest<HTMLElement>(".spot");
  if (here == null) {
    if (target?.closest("[role=radiogroup]") != null) return false;
    spots[0]?.focus();
    return spots.length > 0;
  }
  const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key] ?? [0, 0];
  const from = middle(here);
  let best: HTMLElement | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const spot of spots) {
    const to = middle(spot);
    const along = (to.x - from.x) * (dx ?? 0) + (to.y - from.y) * (dy ?? 0);
    const aside = Math.abs((to.x - from.x) * (dy ?? 0)) + Math.abs((to.y - from.y) * (dx ?? 0));
    const cost = along + 2.5 * aside;
    if (along > 2 && cost < least) [best, least] = [spot, cost];
  }
  best?.focus();
  return true;
}

function middle(element: HTMLElement): { x: number; y: number } {
  const box = element.getBoundingClientRect();
  return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
}
