// Blackjack, with the side bets of PAIR Version 3 and of Blackjack Poker & Pairs, from their rule books.

import { distinct, kindOf, rankOf, suitOf, sum } from "./table.js";

const low = (cards) => sum(cards.map((card) => Math.min(rankOf(card), 10)));

// A hand's value, an ace counting 11 where that is not too much.
function valueOf(cards) {
  const total = low(cards);
  return total <= 11 && cards.some((card) => rankOf(card) === 1) ? total + 10 : total;
}

const PAIR_TABLES = {
  "2-deck-a": [["three", 20], ["any suited", 10], ["any", 2]],
  "2-deck-b": [["three", 30], ["player", 5], ["any", 2]],
  "shoe-a": [["three suited", 20], ["three", 10], ["any", 3]],
  "shoe-b": [["three suited", 100], ["three", 20], ["player", 4], ["any", 2]],
  "shoe-c": [["royal", 100], ["three suited", 50], ["three", 10], ["flush", 3], ["any", 2]],
  "shoe-d": [["three suited", 50], ["three", 25], ["player suited", 5], ["any suited", 4], ["flush", 3], ["any", 1]],
};
const BPP_POKER = { "mini royal": 35, "straight flush": 35, "three of a kind": 33, straight: 10, flush: 5 };

// What the side bets pay on the seat's two cards and the up card. [PV3-8] to [PV3-16] [BPP-43] [BPP-44]
function sideBets(game, options, cards) {
  const [one, two] = cards;
  const same = distinct(cards) === 1;
  const ranks = distinct(cards.map(rankOf));
  if (game === "blackjack-poker-pairs") {
    const red = [one, two].map((card) => "dh".includes(suitOf(card)));
    const pairs = one === two ? 30 : red[0] === red[1] ? 10 : 5;
    return { pairs: rankOf(one) === rankOf(two) ? pairs : undefined, poker: same ? 100 : BPP_POKER[kindOf(cards)] };
  }
  if (game !== "pair-v3") return {};
  const holds = {
    royal: kindOf(cards) === "mini royal",
    "three suited": same,
    three: ranks === 1,
    "player suited": one === two,
    player: rankOf(one) === rankOf(two),
    "any suited": distinct(cards) < 3,
    any: ranks < 3,
    flush: distinct(cards.map(suitOf)) === 1,
  };
  return { pair: PAIR_TABLES[options.paytable].find(([row]) => holds[row])?.[1] };
}

function newHand(cards, splits = 0) {
  return { cards, splits, units: 1, end: "", ofAces: splits > 0 && rankOf(cards[0]) === 1 };
}

// The choices open to a hand, none where it stands by itself. [BJ-15] to [BJ-24] [BPP-28] to [BPP-34]
function openTo(table, hand, hands) {
  const rules = table.options;
  const [one, two, third] = hand.cards;
  const choices = hand.ofAces && !rules.hit_split_aces ? [] : ["hit"];
  if (third === undefined) {
    const lowest = { any: 0, "9-11": 9, "10-11": 10 }[rules.double];
    const total = lowest === 0 || (valueOf(hand.cards) >= lowest && valueOf(hand.cards) <= 11);
    if (choices.length && total && (rules.double_after_split || !hand.splits)) choices.push("double");
    const room = table.game === "blackjack-poker-pairs" ? hand.splits < 2 : hands.length < rules.max_hands;
    const alike = low([one]) === low([two]);
    if (alike && room && (rules.resplit_aces || !hand.ofAces)) choices.push("split");
    if (rules.surrender === "late" && !hand.splits) choices.push("surrender");
  }
  return choices.length ? [...choices, "stand"] : [];
}

// Take or pay a hand, once. [BJ-17]
function payHand(table, seat, hand, wins, per = 1) {
  if (!hand.isPaid) table.pay(seat, "main", table.seats[seat].main * hand.units, wins, per);
  hand.isPaid = true;
}

// One hand to its end; a split puts the other hand to its right, which gets its card when its turn comes.
function playHand(table, seat, hands, at, mayBeBlackjack) {
  const hand = hands[at];
  if (hand.cards.length === 1) hand.cards.push(table.card());
  while (!hand.end) {
    const value = valueOf(hand.cards);
    const choices = openTo(table, hand, hands);
    if (value > 21) hand.end = "bust";
    else if (hand.cards.length === table.options.charlie) hand.end = "charlie";
    else if (value === 21 || hand.units === 2 || !choices.length) hand.end = "stand";
    else {
      const choice = table.choose(choices);
      if (choice === "double" || choice === "split") table.stake(seat, "main", table.seats[seat].main);
      if (choice === "split") {
        hands.splice(at, 1, ...hand.cards.map((card) => newHand([card], hand.splits + 1)));
        playHand(table, seat, hands, at, mayBeBlackjack);
        return;
      }
      if (choice === "surrender" && !mayBeBlackjack) payHand(table, seat, hand, -1, 2);
      if (choice === "stand" || choice === "surrender") hand.end = choice;
      else hand.cards.push(table.card());
      if (choice === "double") hand.units = 2;
    }
  }
  if (hand.end === "bust") payHand(table, seat, hand, -1);
  if (hand.end === "charlie") payHand(table, seat, hand, 1);
}

// [BJ-7] to [BJ-14] [BPP-21] to [BPP-27] [PV3-17]
export function blackjack(table) {
  const rules = table.options;
  const first = table.cardsOf(table.seats.length);
  const up = table.card();
  const deals = first.map((card) => [newHand([card, table.card()])]);
  const dealer = rules.hole_card === "peek" ? [up, table.card()] : [up];
  deals.forEach(([hand], seat) => {
    const prices = sideBets(table.game, rules, [...hand.cards, up]);
    Object.entries(prices).forEach(([wager, pays]) => table.settle(seat, wager, pays));
  });
  if (rankOf(up) === 1 && rules.insurance === "offer") {
    table.seats.forEach(({ main }, seat) => {
      const insured = table.choose(["insurance", "no-insurance"]) === "insurance";
      if (insured) table.stake(seat, "insurance", table.part(main, 1, 2));
    });
  }
  const natural = deals.map(([hand]) => valueOf(hand.cards) === 21);
  if (dealer.length === 1 || valueOf(dealer) < 21) {
    const mayBeBlackjack = dealer.length === 1 && (low(dealer) === 1 || low(dealer) === 10);
    if (dealer.length === 2) settleInsurance(table, false);
    deals.forEach((hands, seat) => {
      const [wins, per] = rules.blackjack_pays.split(":").map(Number);
      if (natural[seat] && !mayBeBlackjack) payHand(table, seat, hands[0], wins, per);
      for (let at = 0; at < hands.length && !natural[seat]; at++) playHand(table, seat, hands, at, mayBeBlackjack);
    });
    drawDealer(table, dealer, deals.flat().map((hand) => hand.end), natural.includes(true));
  }
  settleBlackjack(table, dealer, deals, natural);
}

// The dealer's further cards: none that no bet waits for. [BJ-26] [BJ-27] [BPP-37] [BPP-38]
function drawDealer(table, dealer, ends, natural) {
  const live = ends.includes("stand");
  const feared = low(dealer) === 1 || low(dealer) === 10;
  const insured = table.staked.some((staked) => staked.has("insurance"));
  const waits = insured || ((natural || ends.includes("surrender")) && feared);
  if (dealer.length === 1 && (live || waits)) dealer.push(table.card());
  const draws = () => {
    const value = valueOf(dealer);
    return value < 17 || (value === 17 && value > low(dealer) && table.options.soft_17 === "hit");
  };
  while (live && draws()) dealer.push(table.card());
}

// [BJ-10] to [BJ-13] [BJ-28] [BJ-29] [BPP-24] [BPP-26] [BPP-39] to [BPP-41]
function settleBlackjack(table, dealer, deals, natural) {
  const house = dealer.length === 2 && valueOf(dealer) === 21;
  const theirs = valueOf(dealer) > 21 ? 0 : valueOf(dealer);
  deals.forEach((hands, seat) => {
    for (const hand of hands) {
      let [wins, per] = [-1, 1];
      if (natural[seat]) [wins, per] = house ? [0, 1] : table.options.blackjack_pays.split(":").map(Number);
      else if (hand.end === "charlie") wins = 1;
      else if (hand.end === "surrender" && !house) per = 2;
      else if (hand.end === "stand" && !house) wins = Math.sign(valueOf(hand.cards) - theirs);
      payHand(table, seat, hand, wins, per);
    }
  });
  settleInsurance(table, house);
}

// Insurance, once the dealer's two cards are known. [BJ-10] [BPP-24]
function settleInsurance(table, house) {
  table.staked.forEach((staked, seat) => {
    const insurance = table.decided[seat].has("insurance") ? undefined : staked.get("insurance");
    if (insurance !== undefined) table.pay(seat, "insurance", insurance, house ? 2 : -1);
  });
}
