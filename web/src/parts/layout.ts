/** Where each card of a hand lies, in card widths from the middle of its place. */

export interface Lie {
  x: number;
  y: number;
  turn: number;
  scale: number;
  /** The hand in play lies over the others. */
  front?: boolean;
}

/** One hand side by side, closing up where there is no room. */
export function row(count: number, index: number, room: number, step = 1.06): Lie {
  const gap = count < 2 ? 0 : Math.min(step, (room - 1) / (count - 1));
  return { x: (index - (count - 1) / 2) * gap, y: 0, turn: 0, scale: 1 };
}

/** Baccarat: two cards upright, the third across and outside. */
export function coup(count: number, index: number, toTheLeft: boolean): Lie {
  const aside = count < 3 ? 0 : toTheLeft ? 0.72 : -0.72;
  if (index === 2) return { x: toTheLeft ? -1.06 : 1.06, y: 0, turn: 90, scale: 1 };
  return { x: (index - 0.5) * 1.04 + aside, y: 0, turn: 0, scale: 1 };
}

/** The hands of a seat: alone they fan, two share the room, three or four lie in two ranks where it is narrow. */
export function seatHand(hands: number, hand: number, cards: number, index: number, room: number): Lie {
  const ranks = hands > 2 && room < 4.200 ? 2 : 1;
  const files = Math.ceil(hands / ranks);
  const scale = ranks === 2 ? 0.74 : hands > 2 ? 0.84 : 1;
  const slot = room / files;
  const file = (hand - 1) % files;
  const rank = Math.floor((hand - 1) / files);
  const inRank = ranks === 1 ? hands : rank === 0 ? files : hands - files;
  const gap = cards < 2 ? 0 : Math.min(0.52 * scale, (slot - scale - 0.06) / (cards - 1));
  return {
    x: (file - (inRank - 1) / 2) * slot + (index - (cards - 1) / 2) * gap,
    y: ranks === 2 ? (rank - 1) * 1.24 + 0.2 : 0, // the upper rank reaches up the felt, clear of the bets below
    turn: 0,
    scale,
  };
}

/** The stage of a phone: the hand in play large and in the middle, the others small in one or two ranks below it. */
export interface Stage {
  /** Room in card widths. */
  width: number;
  height: number;
  hands: number;
  /** Which hand is in play, counted from 0. */
  focus: number;
  /** How far its cards move aside for the total at their right. */
  aside: number;
}

const SMALL = { one: 0.46, two: 0.4 };
const TAG_ROOM = 0.26;
const ranksOf = ({ hands }: Stage): number => (hands > 5 ? 2 : hands > 1 ? 1 : 0);
const filesOf = (stage: Stage): number => Math.ceil((stage.hands - 1) / Math.max(1, ranksOf(stage)));
const smallScale = (stage: Stage): number =>
  Math.min(ranksOf(stage) === 2 ? SMALL.two : SMALL.one, (0.7 * stage.width) / filesOf(stage));
const rankHeight = (stage: Stage): number => smallScale(stage) * 1.4 + TAG_ROOM;

/** Where the middle of a hand lies, how large it is, and how much room it has. */
export function stageSlot(stage: Stage, hand: number): { x: number; y: number; scale: number; width: number } {
  const ranks = ranksOf(stage);
  const below = ranks * rankHeight(stage);
  if (hand === stage.focus) return { x: 0, y: -below / 2, scale: 1, width: stage.width };
  const index = hand < stage.focus ? hand : hand - 1;
  const files = filesOf(stage);
  const [rank, file] = [Math.floor(index / files), index % files];
  const inRank = Math.min(files, stage.hands - 1 - rank * files);
  const width = Math.min(stage.width / files, 1.7);
  return {
    x: (file - (inRank - 1) / 2) * width,
    y: stage.height / 2 - (ranks - rank - 0.5) * rankHeight(stage) - TAG_ROOM / 2,
    scale: smallScale(stage),
    width,
  };
}

/** Where a card of a hand lies on the stage. The total of the hand in play has room at its right. */
export function stageCard(stage: Stage, hand: number, cards: number, index: number): Lie {
  const slot = stageSlot(stage, hand);
  const isFocus = hand === stage.focus;
  const room = isFocus ? slot.width - 2 * stage.aside - 0.2 : slot.width - 0.12;
  const step = isFocus ? 0.56 : 0.5 * slot.scale;
  const gap = cards < 2 ? 0 : Math.max(0, Math.min(step, (room - slot.scale) / (cards - 1)));
  const x = slot.x - (isFocus ? stage.aside : 0) + (index - (cards - 1) / 2) * gap;
  return { x, y: slot.y, turn: 0, scale: slot.scale, front: isFocus };
}
