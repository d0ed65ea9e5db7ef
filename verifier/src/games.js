// Three Card Poker, Nepal Super Baccarat and La Pair'e, from their rule books.

import { PACK } from "./shuffle.js";
import { KINDS, isJoker, kindOf, rankOf, ranksDown, suitOf, sum } from "./table.js";

// 0 for a high card to 5 for a straight flush, the highest one included.
const heightOf = (cards) => Math.min(KINDS.indexOf(kindOf(cards)), 5);

// Hands compare by kind, then by ranks, those that come in twos first. [TCP-2] to [TCP-5]
function strength(cards) {
  const ranks = ranksDown(cards);
  const times = (rank) => ranks.filter((other) => other === rank).length;
  return [heightOf(cards), ...ranks.sort((a, b) => times(b) - times(a) || b - a)];
}

// 1 where the first is stronger, -1 where the second is, else 0.
function compared(mine, theirs) {
  const at = mine.findIndex((part, i) => part !== theirs[i]);
  return at < 0 ? 0 : Math.sign(mine[at] - theirs[at]);
}

// [TCP-14] to [TCP-37]
export function threeCardPoker(table) {
  const hands = table.seats.map(() => table.cardsOf(3));
  const house = strength(table.cardsOf(3));
  const playing = table.seats.map((seat, at) => {
    const plays = table.choose(["play", "fold"]) === "play";
    if (plays) table.stake(at, "play", seat.ante);
    else Object.entries(seat).forEach(([wager, stake]) => table.pay(at, wager, stake, -1));
    return plays;
  });
  const qualifies = compared(house, [0, 12, 3, 2]) >= 0;
  const meter = new Meter(table.meter, table.seats.filter((seat) => "progressive" in seat).length);
  const pairplus = [undefined, ...table.options.pairplus.split("-").map(Number).reverse()];
  table.seats.forEach((seat, at) => {
    if (!playing[at]) return;
    const result = compared(strength(hands[at]), house);
    table.pay(at, "ante", seat.ante, qualifies ? result : 1);
    table.pay(at, "play", seat.ante, qualifies ? result : 0);
    const bonus = [0, 0, 0, 1, 4, 5][heightOf(hands[at])];
    if (bonus) {
      table.stake(at, "ante-bonus", 0);
      table.paid[at].set("ante-bonus", bonus * seat.ante);
    }
    table.settle(at, "pairplus", pairplus[heightOf(hands[at])]);
    if ("progressive" in seat) table.paid[at].set("progressive", meter.award(kindOf(hands[at])));
  });
}

// The progressive: 20 of each stake of 100 go on it, up to a ceiling; above that to a reserve. [TCP-31] to [TCP-36]
class Meter {
  static seed = 200_000;
  static ceiling = 1_000_000;

  constructor(before, stakes) {
    this.stand((before?.amount ?? Meter.seed) + 20 * stakes, before?.reserve ?? 0);
  }

  stand(amount, reserve) {
    this.amount = Math.min(amount, Meter.ceiling);
    this.reserve = reserve + Math.max(0, amount - Meter.ceiling);
  }

  award(kind) {
    const share = { "mini royal": 100, "straight flush": 10, "three of a kind": 1 }[kind] ?? 0;
    const paid = Math.floor((this.amount * share) / 100);
    this.amount -= paid;
    if (kind === "mini royal") this.stand(Meter.seed + this.reserve, 0);
    return paid;
  }
}

const points = (cards) => sum(cards.map((card) => (rankOf(card) < 10 ? rankOf(card) : 0))) % 10;

// Both hands of one coup. [NSB-14] to [NSB-24]
export function coup(table) {
  const [one, two, three, four] = table.cardsOf(4);
  const player = [one, three];
  const banker = [two, four];
  if (Math.max(points(player), points(banker)) >= 8) return { player, banker };
  const total = points(banker);
  let draws = total <= 5;
  if (points(player) <= 5) {
    player.push(table.card());
    const third = points(player.slice(2));
    const against = { 3: [0, 1, 2, 3, 4, 5, 6, 7, 9], 4: [2, 3, 4, 5, 6, 7], 5: [4, 5, 6, 7], 6: [6, 7] };
    draws = total <= 2 || (against[total] ?? []).includes(third);
  }
  if (draws) banker.push(table.card());
  return { player, banker };
}

const TOTALS = {
  player: [0, 160, 90, 60, 45, 30, 11, 9, 6, 6],
  banker: [0, 160, 90, 60, 25, 17, 0, 9, 7, 6],
  tie: [140, 200, 200, 170, 110, 100, 40, 40, 70, 70],
};

// [NSB-25] to [NSB-37]
export function nepalSuperBaccarat(table) {
  const { player, banker } = coup(table);
  const ahead = points(player) - points(banker);
  const winner = ahead > 0 ? "player" : ahead < 0 ? "banker" : "tie";
  const total = Math.max(points(player), points(banker));
  const six = winner === "banker" && total === 6;
  const pays = { [`${winner}-on-${total}`]: TOTALS[winner][total] };
  Object.assign(pays, winner === "tie" ? { tie: 8, player: 0, banker: 0 } : { [winner]: 1 });
  if (six) pays["lucky-6"] = pays["banker-on-6"] = banker.length === 2 ? 12 : 20;
  for (const [side, hand] of Object.entries({ player, banker })) {
    if (rankOf(hand[0]) === rankOf(hand[1])) pays[`${side}-pair`] = 11;
  }
  table.seats.forEach((seat, at) => {
    for (const [wager, stake] of Object.entries(seat)) {
      if (six && wager === "banker") table.pay(at, wager, stake, 1, 2);
      else table.pay(at, wager, stake, Object.hasOwn(pays, wager) ? pays[wager] : -1);
    }
  });
}

const LA_PAIRE_POKER = {
  "two jokers": 100, "mini royal": 50, "straight flush": 20, "three of a kind": 10, straight: 3, flush: 2,
};

// The poker hand, one Joker standing for the best card that is not in it. [LP-27] [LP-28]
function laPaireHand(cards) {
  const held = cards.filter((card) => !isJoker(card));
  if (held.length === 3) return kindOf(cards);
  if (held.length === 1) return "two jokers";
  const found = PACK.filter((card) => !held.includes(card)).map((card) => kindOf([...held, card]));
  return Object.keys(LA_PAIRE_POKER).find((kind) => found.includes(kind)) ?? "pair";
}

// [LP-24] to [LP-40]
export function laPaire(table) {
  const cards = table.cardsOf(3);
  const [first, second] = cards.map((card) => (isJoker(card) ? "joker" : card.slice(0, -1)));
  const colour = { d: "red", h: "red", c: "black", s: "black" }[suitOf(cards[0])];
  const hand = laPaireHand(cards);
  const price = (wager) => {
    const [kind, ...values] = wager.split("-");
    const dear = values.includes("joker");
    const firstCard = { card: dear ? 25 : 12, split: 5, three: dear ? 4 : 3, corner: 2 };
    if (Object.hasOwn(firstCard, kind)) return values.includes(first) ? firstCard[kind] : undefined;
    if (wager === "poker") return LA_PAIRE_POKER[hand];
    if (wager === "any-paire") return first !== second ? undefined : first === "joker" ? 50 : 16;
    if (kind === "paire") return values[0] === first && first === second ? (dear ? 1300 : 225) : undefined;
    return wager === colour ? 1 : undefined;
  };
  table.seats.forEach((seat, at) => Object.keys(seat).forEach((wager) => table.settle(at, wager, price(wager))));
}
