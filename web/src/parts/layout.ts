/** Where each card of a hand lies, in card widths from the middle of its place. */

export interface Lie {
  x: number;
  y: number;
  turn: number;
  scale: number;
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
    y: ranks === 2 ? (rank - 0.5) * 1.22 : 0,
    turn: 0,
    scale,
  };
}
