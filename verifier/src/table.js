// The table: cards and choices from the log, stakes taken and paid; and what three cards are.

import { JOKERS, RANKS } from "./shuffle.js";

// The file is not a closed round whose seed is revealed.
export class CannotCheck extends Error {}
// The log could not have happened.
export class Different extends Error {}
// The log has no further card or choice.
export class Stopped extends Error {}

export class Table {
  constructor(options, cards, log) {
    Object.assign(this, { game: log.game, options, cards, meter: log.meter ?? null, seats: log.seats });
    Object.assign(this, { dealt: 0, choices: log.choices ?? [], chosen: 0 });
    this.staked = this.seats.map((seat) => new Map(Object.entries(seat)));
    this.paid = this.seats.map((seat) => new Map(Object.keys(seat).map((wager) => [wager, 0])));
    this.decided = this.seats.map(() => new Map());
  }

  card() {
    if (this.dealt === this.cards.length) throw new Stopped("the round needs more cards than were dealt");
    return this.cards[this.dealt++];
  }

  cardsOf(count) {
    return Array.from({ length: count }, () => this.card());
  }

  choose(options) {
    if (this.chosen === this.choices.length) throw new Stopped("the choices end before the round does");
    const word = this.choices[this.chosen++];
    if (options.includes(word)) return word;
    throw new Different(`choice ${this.chosen} is ${word}, but only ${options.join(", ")} was possible`);
  }

  stake(seat, wager, amount) {
    this.staked[seat].set(wager, (this.staked[seat].get(wager) ?? 0) + amount);
    if (!this.paid[seat].has(wager)) this.paid[seat].set(wager, 0);
  }

  // A stake back with winnings of `wins` to `per`; -1 to 1 is a loss.
  pay(seat, wager, stake, wins, per = 1) {
    this.paid[seat].set(wager, this.paid[seat].get(wager) + this.part(stake, wins + per, per));
    this.decided[seat].set(wager, (this.decided[seat].get(wager) ?? 0) + stake);
  }

  // Part of an amount in whole minor units, by the table's rounding rule.
  part(amount, top, bottom) {
    const product = BigInt(amount) * BigInt(top);
    const rest = Number(product % BigInt(bottom));
    const rule = this.options.rounding;
    if (rest && rule === "exact") throw new Different(`${amount} x ${top}/${bottom} is no whole amount`);
    const raised = rest > 0 && (rule === "up" || (rule === "nearest" && 2 * rest >= bottom));
    const whole = Number(product / BigInt(bottom)) + (raised ? 1 : 0);
    if (!Number.isSafeInteger(whole)) throw new CannotCheck("the amounts are too large for this page");
    return whole;
  }

  // Settle a wager, if it was placed, at `pays` to 1; undefined loses, 0 is a push.
  settle(seat, wager, pays) {
    if (this.staked[seat].has(wager)) this.pay(seat, wager, this.seats[seat][wager], pays ?? -1);
  }
}

export const isJoker = (card) => JOKERS.includes(card);
// 1 for an ace to 13 for a king; 0 for a Joker.
export const rankOf = (card) => (isJoker(card) ? 0 : RANKS.indexOf(card.slice(0, -1)) + 1);
export const suitOf = (card) => (isJoker(card) ? "" : card.at(-1));
export const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
export const distinct = (things) => new Set(things).size;

export const KINDS = ["high card", "pair", "flush", "straight", "three of a kind", "straight flush", "mini royal"];

// Ranks from the top, the ace high but in 3-2-A.
export function ranksDown(cards) {
  const ranks = cards.map((card) => (rankOf(card) > 1 ? rankOf(card) : 14)).sort((a, b) => b - a);
  return ranks.join() === "14,3,2" ? [3, 2, 1] : ranks;
}

// The name of a three-card hand without Jokers.
export function kindOf(cards) {
  const [high, middle, low] = ranksDown(cards);
  const flush = distinct(cards.map(suitOf)) === 1;
  const straight = high - 1 === middle && middle === low + 1;
  if (flush && straight) return high === 14 ? "mini royal" : "straight flush";
  if (high === low) return "three of a kind";
  if (straight || flush) return straight ? "straight" : "flush";
  return middle === high || middle === low ? "pair" : "high card";
}
