// Joined from verifier/src by `python verifier/build.py`; change it there.

// SHA-256 and HMAC, written out so that the page works from a file on a disk, where browsers may withhold theirs.

const ROUND_CONSTANTS = firstBitsOfRoots(64, 1 / 3);
const FIRST_STATE = firstBitsOfRoots(8, 1 / 2);

// The first 32 bits of the fractional part of the roots of the first primes.
function firstBitsOfRoots(count, power) {
  const found = [];
  for (let n = 2; found.length < count; n++) {
    let prime = true;
    for (let d = 2; d * d <= n; d++) if (n % d === 0) prime = false;
    if (prime) found.push(Math.floor((n ** power % 1) * 2 ** 32) >>> 0);
  }
  return found;
}

const turn = (word, by) => (word >>> by) | (word << (32 - by));

function sha256(bytes) {
  const padded = new Uint8Array(((bytes.length + 8) >> 6) * 64 + 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(padded.length - 4, (bytes.length * 8) >>> 0);
  const state = Uint32Array.from(FIRST_STATE);
  for (let at = 0; at < padded.length; at += 64) compress(state, view, at);
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, i) => digest.setUint32(4 * i, word));
  return new Uint8Array(digest.buffer);
}

function compress(state, view, at) {
  const w = new Uint32Array(64);
  for (let i = 0; i < 16; i++) w[i] = view.getUint32(at + 4 * i);
  for (let i = 16; i < 64; i++) {
    const near = turn(w[i - 15], 7) ^ turn(w[i - 15], 18) ^ (w[i - 15] >>> 3);
    const far = turn(w[i - 2], 17) ^ turn(w[i - 2], 19) ^ (w[i - 2] >>> 10);
    w[i] = w[i - 16] + near + w[i - 7] + far;
  }
  let [a, b, c, d, e, f, g, h] = state;
  for (let i = 0; i < 64; i++) {
    const choice = (e & f) ^ (~e & g);
    const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + choice + ROUND_CONSTANTS[i] + w[i]) | 0;
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + majority) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => (state[i] += word));
}

function joined(...parts) {
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function hmacSha256(key, message) {
  const block = new Uint8Array(64);
  block.set(key.length > 64 ? sha256(key) : key);
  const inner = sha256(joined(block.map((byte) => byte ^ 0x36), message));
  return sha256(joined(block.map((byte) => byte ^ 0x5c), inner));
}

const toHex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

function fromHex(text) {
  if (typeof text !== "string" || !/^([0-9a-f]{2})*$/i.test(text)) throw new TypeError("this is not hexadecimal");
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

// The words of a stream, fair draws from them, and the order of the cards: scheme "pairhouse/1".


const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
const PACK = [..."cdhs"].flatMap((suit) => RANKS.map((rank) => rank + suit));
const JOKERS = ["X1", "X2"];

const utf8 = new TextEncoder();

// A number as so many bytes, the highest first.
function bigEndian(number, size) {
  const bytes = new Uint8Array(size);
  let rest = BigInt(number);
  for (let at = size - 1; at >= 0; at--, rest >>= 8n) bytes[at] = Number(rest & 255n);
  return bytes;
}

const field = (bytes) => joined(bigEndian(bytes.length, 4), bytes);

function* words(proof) {
  const bytes = (text) => utf8.encode(text);
  const seeds = proof.client_seeds;
  const fields = ["pairhouse/1", proof.game, proof.rules_hash].map(bytes);
  fields.push(bigEndian(seeds.length, 4), ...seeds.map(bytes), bigEndian(proof.nonce, 8));
  const prefix = joined(...fields.map(field));
  const key = fromHex(proof.server_seed);
  for (let counter = 0; ; counter++) {
    const block = hmacSha256(key, joined(prefix, field(bigEndian(counter, 8))));
    const view = new DataView(block.buffer);
    for (let at = 0; at < 32; at += 4) yield view.getUint32(at);
  }
}

// A fair number from 0 to n-1: words past the last whole multiple of n do not count.
function draw(source, n) {
  const limit = 2 ** 32 - (2 ** 32 % n);
  let word = source.next().value;
  while (word >= limit) word = source.next().value;
  return word % n;
}

// The cards in dealing order, as far as the first `places` of them; `gone` are no longer in the shoe.
function shuffled(proof, decks, jokers, places = Infinity, gone = []) {
  const deck = [...PACK, ...JOKERS.slice(0, jokers)];
  const cards = Array.from({ length: decks }, () => deck).flat();
  for (const card of gone) cards.splice(cards.indexOf(card), 1);
  const source = words(proof);
  const last = Math.min(places, cards.length);
  for (let here = 0; here < Math.min(last, cards.length - 1); here++) {
    const there = here + draw(source, cards.length - here);
    [cards[here], cards[there]] = [cards[there], cards[here]];
  }
  return cards.slice(0, last);
}

// The table: cards and choices from the log, stakes taken and paid; and what three cards are.


// The file is not a closed round whose seed is revealed.
class CannotCheck extends Error {}
// The log could not have happened.
class Different extends Error {}
// The log has no further card or choice.
class Stopped extends Error {}

class Table {
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

const isJoker = (card) => JOKERS.includes(card);
// 1 for an ace to 13 for a king; 0 for a Joker.
const rankOf = (card) => (isJoker(card) ? 0 : RANKS.indexOf(card.slice(0, -1)) + 1);
const suitOf = (card) => (isJoker(card) ? "" : card.at(-1));
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
const distinct = (things) => new Set(things).size;

const KINDS = ["high card", "pair", "flush", "straight", "three of a kind", "straight flush", "mini royal"];

// Ranks from the top, the ace high but in 3-2-A.
function ranksDown(cards) {
  const ranks = cards.map((card) => (rankOf(card) > 1 ? rankOf(card) : 14)).sort((a, b) => b - a);
  return ranks.join() === "14,3,2" ? [3, 2, 1] : ranks;
}

// The name of a three-card hand without Jokers.
function kindOf(cards) {
  const [high, middle, low] = ranksDown(cards);
  const flush = distinct(cards.map(suitOf)) === 1;
  const straight = high - 1 === middle && middle === low + 1;
  if (flush && straight) return high === 14 ? "mini royal" : "straight flush";
  if (high === low) return "three of a kind";
  if (straight || flush) return straight ? "straight" : "flush";
  return middle === high || middle === low ? "pair" : "high card";
}

// Three Card Poker, Nepal Super Baccarat and La Pair'e, from their rule books.


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
function threeCardPoker(table) {
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
function coup(table) {
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
function nepalSuperBaccarat(table) {
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
function laPaire(table) {
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

// Blackjack, with the side bets of PAIR Version 3 and of Blackjack Poker & Pairs, from their rule books.


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
function blackjack(table) {
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

// The seeds of several people in one shuffle: those that were opened are those that were committed to and mixed in.


const LISTED_MAX = 16;
const seedBytes = (text) => new TextEncoder().encode(text);
const hashed = (mark, ...parts) => sha256(joined(Uint8Array.of(mark), ...parts));

// The largest power of two below a number of leaves: so many lie on the left.
function leftOf(size) {
  let left = 1;
  while (left * 2 < size) left *= 2;
  return left;
}

// The root of the Merkle tree of RFC 6962 over hashes of leaves.
function treeRoot(leaves) {
  if (leaves.length === 1) return leaves[0];
  const left = leftOf(leaves.length);
  return hashed(1, treeRoot(leaves.slice(0, left)), treeRoot(leaves.slice(left)));
}

// The root that a leaf leads to with the hashes beside its way up, the highest last.
function rootOfPath(leaf, place, size, path) {
  if (size === 1) return path.length ? leaf.slice(0, 0) : leaf;
  if (!path.length) return leaf.slice(0, 0);
  const [left, beside, rest] = [leftOf(size), path.at(-1), path.slice(0, -1)];
  if (place < left) return hashed(1, rootOfPath(leaf, place, left, rest), beside);
  return hashed(1, beside, rootOfPath(leaf, place - left, size - left, rest));
}

// How what was mixed in differs from the seeds that were opened, or an empty text.
function compareSeeds(mixed, clientSeeds) {
  const seeds = [...mixed.seeds].sort((one, other) => one.seat - other.seat);
  const opened = seeds.filter(({ seed }) => seed !== null);
  const other = opened.find(({ seed, commitment }) => toHex(sha256(seedBytes(seed))) !== commitment);
  if (other) return `the seed of seat ${other.seat} is not the one it committed to`;
  const leaves = opened.map(({ seed }) => hashed(0, seedBytes(seed)));
  const path = mixed.path ?? null;
  let expected = opened.map(({ seed }) => seed);
  if (seeds.length === mixed.opened + mixed.withheld.length) {
    const leftOut = seeds.filter(({ seed }) => seed === null).map(({ seat }) => seat);
    if (leftOut.join() !== mixed.withheld.join() || opened.length !== mixed.opened) {
      return "the seeds that are left out are not those that were not opened";
    }
    if (!opened.length) expected = ["no seed was opened"];
    if (opened.length > LISTED_MAX) expected = [toHex(treeRoot(leaves))];
  } else if (opened.length !== 1 || opened[0].seat !== mixed.seat || !path || path.leaves !== mixed.opened) {
    return "the seeds are not all there, and there is none with a path to what was mixed in";
  } else if (!(path.leaf >= 0 && path.leaf < path.leaves)) {
    return "the place of your seed is not among those that were opened";
  } else {
    expected = [toHex(rootOfPath(leaves[0], path.leaf, path.leaves, path.path.map(fromHex)))];
  }
  const same = expected.length === clientSeeds.length && expected.every((seed, i) => seed === clientSeeds[i]);
  return same ? "" : "other seeds were mixed in than were opened";
}

// The checks of a closed round: commitment, names, place, cards, settlement.


const BLACKJACK = {
  decks: 6, soft_17: "stand", double: "any", double_after_split: true, max_hands: 4, resplit_aces: false,
  hit_split_aces: false, surrender: "none", blackjack_pays: "3:2", hole_card: "peek", charlie: 0, insurance: "offer",
};

const GAMES = {
  "three-card-poker": { play: threeCardPoker, defaults: { decks: 1, pairplus: "40-30-6-3-1" } },
  "nepal-super-baccarat": { play: nepalSuperBaccarat, defaults: { decks: 8, cut_card: 14 } },
  "la-paire": { play: laPaire, defaults: { decks: 1 }, jokers: 2 },
  blackjack: { play: blackjack, defaults: BLACKJACK },
  "pair-v3": { play: blackjack, defaults: { ...BLACKJACK, paytable: "shoe-a" } },
  "blackjack-poker-pairs": { play: blackjack, defaults: { ...BLACKJACK, decks: 8, charlie: 8 } },
};

// The options of a round, those left out at their defaults. [PV3-2]
function optionsOf(log) {
  const given = log.options ?? {};
  const options = { rounding: "exact", ...GAMES[log.game].defaults, ...given };
  if (log.game === "pair-v3" && !("decks" in given) && "paytable" in given) {
    options.decks = options.paytable.startsWith("2-deck") ? 2 : 6;
  } else if (log.game === "pair-v3" && options.decks === 2 && !("paytable" in given)) {
    options.paytable = "2-deck-a";
  }
  return options;
}

// Whether a coup of this shoe begins after so many cards: coup by coup from the first one. [NSB-4] [NSB-5]
function coupBegins(order, first, log, options) {
  let [dealt, last, ended] = [0, false, false];
  while (dealt < first && !ended) {
    const table = new Table(options, order.slice(dealt, dealt + 6), log);
    coup(table);
    dealt += table.dealt;
    [ended, last] = [last, order.length - dealt <= options.cut_card];
  }
  return dealt === first && !ended;
}

// At a live table: how the cards gone before this coup differ from what the coups before it were dealt. Each coup
// shuffles what the coups before it have left, with seeds of its own. [NSB-4] [NSB-5]
function compareShoe(shoe, proof, log, options) {
  if (log.game !== "nepal-super-baccarat") {
    return "every round of this game is shuffled anew, yet cards are said to be gone";
  }
  if (shoe.coup !== shoe.before.length + 1) {
    return `it is coup ${shoe.coup} of its shoe, and ${shoe.before.length} coups are said to be before it`;
  }
  let [last, ended] = [false, false];
  const gone = [];
  for (const [at, { commitment, server_seed, client_seeds }] of shoe.before.entries()) {
    if (ended) return `the shoe ended before coup ${at + 1}`;
    if (toHex(sha256(fromHex(server_seed))) !== commitment) {
      return `the seed of coup ${at + 1} is not the one the house committed to`;
    }
    const earlier = { ...proof, server_seed, client_seeds, nonce: 0 };
    const table = new Table(options, shuffled(earlier, options.decks, 0, 6, gone), log);
    coup(table);
    gone.push(...table.cards.slice(0, table.dealt));
    [ended, last] = [last, 52 * options.decks - gone.length <= options.cut_card];
  }
  if (ended) return `the shoe ended before coup ${shoe.coup}`;
  const same = gone.length === shoe.gone.length && gone.every((card, at) => card === shoe.gone[at]);
  return same ? "" : "the cards that are gone are not those the coups before have dealt";
}

// What every wager of the round comes to: a list of seats, wager -> [stake, returned].
function settled(log, options, cards) {
  const table = new Table(options, cards, log);
  const isVoid = Boolean(log.void);
  let keepsDecided = false; // what was decided before the round was void
  try {
    GAMES[log.game].play(table);
    if (table.chosen < table.choices.length) throw new Different("there are more choices than the round asked for");
    if (!isVoid && table.dealt !== cards.length) {
      throw new Different(`the round needs ${table.dealt} cards, not ${cards.length}`);
    }
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    if (!isVoid) throw new Different(error.message);
    keepsDecided = log.game !== "blackjack-poker-pairs" && !options.progressive; // [PV3-18] [BJ-31] [TCP-40]
  }
  return table.staked.map((staked, seat) => {
    const kept = (wager, stake) => table.paid[seat].get(wager) + stake - (table.decided[seat].get(wager) ?? 0);
    const voided = (wager, stake) => (keepsDecided ? kept(wager, stake) : stake);
    const back = (wager, stake) => (isVoid ? voided(wager, stake) : table.paid[seat].get(wager));
    const made = [...staked].filter(([, stake]) => stake || !isVoid);
    return Object.fromEntries(made.map(([wager, stake]) => [wager, [stake, back(wager, stake)]]));
  });
}

// The first difference between our settlement and the one on record, or an empty text.
function compareWagers(ours, record) {
  const seats = record.view.wagers;
  if (ours.length !== seats.length) return `${ours.length} seats were played, ${seats.length} were settled`;
  for (const [at, mine] of ours.entries()) {
    for (const wager of new Set([...Object.keys(mine), ...Object.keys(seats[at])])) {
      const [was, should] = [seats[at][wager], mine[wager]];
      const where = `seat ${at + 1}, ${wager}`;
      if (!was) return `${where} was not settled`;
      if (!should) return `${where} was settled without a stake`;
      for (const [i, part] of ["stake", "returned"].entries()) {
        if (was[part] !== should[i]) return `${where}: ${part} was ${was[part]}, and should be ${should[i]}`;
      }
    }
  }
  for (const [i, part] of ["staked", "returned"].entries()) {
    const should = sum(ours.flatMap((seat) => Object.values(seat).map((amounts) => amounts[i])));
    if ((record[part] ?? should) !== should) return `${part} in all was ${record[part]}, and should be ${should}`;
  }
  return "";
}

function compareCards(ours, logged) {
  if (ours.length !== logged.length) return `${ours.length} cards were used, the log holds ${logged.length}`;
  const at = ours.findIndex((card, i) => card !== logged[i].replace("T", "10"));
  return at < 0 ? "" : `card ${at + 1} is ${logged[at]}, but the seeds deal ${ours[at]}`;
}

const isKnown = (log) => Object.hasOwn(GAMES, log.game);

// The order of the cards. A game this page has no rules of names its decks in its options; the Jokers in each are those
// with which the seeds deal what the log says, else none.
function orderOf({ proof, log }, options, gone) {
  const { first_card: first, cards_used: used } = proof;
  const places = first ? Infinity : used;
  if (isKnown(log)) return shuffled(proof, options.decks, GAMES[log.game].jokers ?? 0, places, gone);
  const orders = [0, 1, 2].map((jokers) => shuffled(proof, options.decks, jokers, places));
  return orders.find((order) => compareCards(order, log.cards) === "") ?? orders[0];
}

// Refuse what cannot be checked, and say why.
function checkable(record) {
  const { proof, log, state } = record;
  if (proof.scheme !== "pairhouse/1") throw new CannotCheck(`this checks scheme pairhouse/1, not ${proof.scheme}`);
  if (!log || !["settled", "void"].includes(state)) {
    throw new CannotCheck("the round is not closed yet; verify it once it is settled");
  }
  if (proof.server_seed === null) {
    const advice = "rotate the seed at the table, then fetch the round again";
    throw new CannotCheck(`the server seed is not revealed yet; ${advice}`);
  }
  if (!isKnown(log) && (proof.first_card !== 0 || !Number.isSafeInteger(log.options?.decks))) {
    throw new CannotCheck(`${log.game} is not a game this page knows, and the round does not say which pack it began with`);
  }
  const numbers = [proof.nonce, proof.first_card, proof.cards_used, ...log.seats.flatMap(Object.values)];
  if (!numbers.every((number) => Number.isSafeInteger(number) && number >= 0)) {
    throw new CannotCheck("a number of the round is no whole number, or is too large for this page");
  }
}

// Each check as [name, what holds, how it differs]; what was dealt and paid by our reckoning goes to `found`.
function* findings(record, found) {
  const { proof, log } = record;
  const { first_card: first, cards_used: used } = proof;
  const options = isKnown(log) ? optionsOf(log) : log.options;
  const hash = toHex(sha256(fromHex(proof.server_seed)));
  const kept = hash === proof.commitment ? "" : `the server seed hashes to ${hash}`;
  yield ["commitment", "the revealed server seed hashes to the commitment shown before the bet", kept];

  const names = proof.game === log.game && (log.rules ?? proof.rules_hash) === proof.rules_hash;
  const same = names && (record.state === "void") === Boolean(log.void);
  const other = same ? "" : "proof, log and state do not speak of the same game, rules and ending";
  yield ["names", "proof, log and state speak of one game, one set of rules and one ending", other];

  if (record.mixed) {
    const leftOut = record.mixed.withheld.join(", ") || "nobody";
    const says = `the seeds that were opened, and no others, were mixed in; withheld by: ${leftOut}`;
    yield ["seeds", says, compareSeeds(record.mixed, proof.client_seeds)];
  }

  let gone = [];
  if (record.mixed && record.shoe) {
    const other = compareShoe(record.shoe, proof, log, options);
    yield ["shoe", "the coups before deal the cards that were gone, each from its own seeds", other];
    if (other) return;
    gone = record.shoe.gone;
  }

  const order = orderOf(record, options, gone);
  const inShoe = !gone.length && log.game === "nepal-super-baccarat" && first <= order.length - used;
  const begins = first === 0 || (inShoe && coupBegins(order, first, log, options));
  const place = begins ? "" : `no round can begin after ${first} cards`;
  yield ["place", "the round begins where its shuffle, or the coup before it, says", place];

  found.cards = order.slice(first, first + used);
  const dealt = compareCards(found.cards, log.cards);
  yield ["cards", "the seeds deal exactly the cards of the log, in that order", dealt];

  if (!isKnown(log)) {
    found.unchecked = `The rules of ${log.game} are not on this page: \`pairhouse verify\` checks what was paid.`;
    return;
  }
  let differs;
  try {
    found.wagers = settled(log, options, found.cards);
    differs = compareWagers(found.wagers, record);
  } catch (error) {
    if (!(error instanceof Different)) throw error;
    differs = error.message;
  }
  yield ["settlement", "settled by the rule book, every wager comes to what was paid", differs];
}

// A closed round, as text or as an object -> { same, error, findings: [{ check, holds, says }], cards, wagers,
// unchecked }. `unchecked` is null, or says what this page could not check of a game it has no rules of.
// `error` is null, or says why the round cannot be checked at all. `cards` and `wagers` (a list of seats, wager ->
// [stake, returned]) are what the seeds and the rules come to, whatever the record says.
function verify(given) {
  const found = { cards: [], wagers: [], unchecked: null };
  try {
    const record = typeof given === "string" ? JSON.parse(given) : given;
    checkable(record);
    const list = [...findings(record, found)];
    const told = list.map(([check, says, differs]) => ({ check, holds: !differs, says: differs || says }));
    return { same: told.every((finding) => finding.holds), error: null, findings: told, ...found };
  } catch (error) {
    const known = error instanceof CannotCheck || error instanceof SyntaxError;
    const says = known ? error.message : `this is not a closed round of Pairhouse (${error.message})`;
    return { same: false, error: says, findings: [], cards: [], wagers: [], unchecked: null };
  }
}

// SHA-512 and the verification of Ed25519 signatures (RFC 8032), written out so that the page works from a file on a
// disk, where browsers may withhold theirs. Nothing here is secret, so it need not take the same time for every input.


const WORD = (1n << 64n) - 1n;

// The largest whole number whose `degree`-th power is at most `value`.
function wholeRoot(value, degree) {
  let root = 1n << BigInt(Math.ceil(value.toString(2).length / Number(degree)));
  for (;;) {
    const next = ((degree - 1n) * root + value / root ** (degree - 1n)) / degree;
    if (next >= root) return root;
    root = next;
  }
}

// The first 64 bits of the fractional part of the roots of the first primes.
function longBitsOfRoots(count, degree) {
  const primes = [];
  for (let n = 2; primes.length < count; n++) if (primes.every((prime) => n % prime)) primes.push(n);
  return primes.map((prime) => wholeRoot(BigInt(prime) << (64n * degree), degree) & WORD);
}

const LONG_CONSTANTS = longBitsOfRoots(80, 3n);
const LONG_STATE = longBitsOfRoots(8, 2n);
const turnLong = (word, by) => ((word >> by) | (word << (64n - by))) & WORD;

function sha512(bytes) {
  const padded = new Uint8Array(((bytes.length + 16) >> 7) * 128 + 128);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setBigUint64(padded.length - 8, BigInt(bytes.length) * 8n);
  const state = [...LONG_STATE];
  for (let at = 0; at < padded.length; at += 128) compressLong(state, view, at);
  const digest = new DataView(new ArrayBuffer(64));
  state.forEach((word, i) => digest.setBigUint64(8 * i, word));
  return new Uint8Array(digest.buffer);
}

function compressLong(state, view, at) {
  const w = Array.from({ length: 16 }, (_, i) => view.getBigUint64(at + 8 * i));
  for (let i = 16; i < 80; i++) {
    const near = turnLong(w[i - 15], 1n) ^ turnLong(w[i - 15], 8n) ^ (w[i - 15] >> 7n);
    const far = turnLong(w[i - 2], 19n) ^ turnLong(w[i - 2], 61n) ^ (w[i - 2] >> 6n);
    w.push((w[i - 16] + near + w[i - 7] + far) & WORD);
  }
  let [a, b, c, d, e, f, g, h] = state;
  for (let i = 0; i < 80; i++) {
    const choice = (e & f) ^ (~e & WORD & g);
    const one = h + (turnLong(e, 14n) ^ turnLong(e, 18n) ^ turnLong(e, 41n)) + choice + LONG_CONSTANTS[i] + w[i];
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const two = (turnLong(a, 28n) ^ turnLong(a, 34n) ^ turnLong(a, 39n)) + majority;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) & WORD, c, b, a, (one + two) & WORD];
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => (state[i] = (state[i] + word) & WORD));
}

const P = (1n << 255n) - 19n;
const ORDER = (1n << 252n) + 27742317777372353535851937790883648493n;
const modP = (number) => ((number % P) + P) % P;

function powerP(base, exponent) {
  let [result, square] = [1n, modP(base)];
  for (let left = exponent; left; left >>= 1n) {
    if (left & 1n) result = (result * square) % P;
    square = (square * square) % P;
  }
  return result;
}

const D = modP(-121665n * powerP(121666n, P - 2n));

// The sum of two points of the curve, each [x, y, z, t].
function addPoints(a, b) {
  const [low, high] = [(a[1] - a[0]) * (b[1] - b[0]), (a[1] + a[0]) * (b[1] + b[0])];
  const [t, z] = [2n * a[3] * b[3] * D, 2n * a[2] * b[2]];
  const [e, f, g, h] = [high - low, z - t, z + t, high + low].map(modP);
  return [modP(e * f), modP(g * h), modP(f * g), modP(e * h)];
}

function timesPoint(number, point) {
  let [total, power] = [[0n, 1n, 1n, 0n], point];
  for (let left = number; left; left >>= 1n) {
    if (left & 1n) total = addPoints(total, power);
    power = addPoints(power, power);
  }
  return total;
}

// The point with this y, or null.
function pointOf(y, isOdd) {
  const square = modP((y * y - 1n) * powerP(D * y * y + 1n, P - 2n));
  let x = powerP(square, (P + 3n) / 8n);
  if (modP(x * x) !== square) x = modP(x * powerP(2n, (P - 1n) / 4n));
  if (y >= P || modP(x * x) !== square || (x === 0n && isOdd)) return null;
  if ((x & 1n) !== isOdd) x = P - x;
  return [x, y, 1n, modP(x * y)];
}

const fromLittle = (bytes) => bytes.reduceRight((number, byte) => (number << 8n) | BigInt(byte), 0n);

// Whether this is the Ed25519 signature of a message.
function isSigned(publicKey, signature, message) {
  if (publicKey.length !== 32 || signature.length !== 64) return false;
  const [key, scalar] = [fromLittle(publicKey), fromLittle(signature.slice(32))];
  const point = pointOf(key & ((1n << 255n) - 1n), key >> 255n);
  if (!point || scalar >= ORDER) return false;
  const factor = fromLittle(sha512(joined(signature.slice(0, 32), publicKey, message))) % ORDER;
  const base = pointOf(modP(4n * powerP(5n, P - 2n)), 0n);
  const minus = [P - point[0], point[1], 1n, P - point[3]];
  const [x, y, z] = addPoints(timesPoint(scalar, base), timesPoint(factor, minus));
  const inverse = powerP(z, P - 2n);
  const encoded = modP(y * inverse) | ((modP(x * inverse) & 1n) << 255n);
  return encoded === fromLittle(signature.slice(0, 32));
}

// The checks that a closed round is in the signed log of its house: the event, its path to the root, the signed head.


const WHOLE_NUMBER = /^(0|[1-9][0-9]{0,18})$/;
const ALTERED = "the head was altered";
const FIELDS = ["before", "chain", "number", "at", "kind", "body"];
const bytesOf = (text) => new TextEncoder().encode(text);
const sameBytes = (a, b) => toHex(a) === toHex(b);

class NotProven extends Error {}

function fromBase64(text) {
  let letters = null;
  try {
    letters = atob(text);
  } catch {
    // said below
  }
  if (letters === null || btoa(letters) !== text) throw new NotProven(`${text} is not base64 as it should be written`);
  return Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
}

// The root that a leaf at this index and its path lead to (RFC 9162, 2.1.3.2).
function rootFromPath(leaf, index, size, path) {
  let [place, last, root] = [index, size - 1n, leaf];
  for (const sibling of path) {
    if (last === 0n) throw new NotProven("the path is too long");
    if (place & 1n || place === last) {
      root = sha256(joined([1], sibling, root));
      while (!(place & 1n) && place) [place, last] = [place >> 1n, last >> 1n];
    } else {
      root = sha256(joined([1], root, sibling));
    }
    [place, last] = [place >> 1n, last >> 1n];
  }
  if (last) throw new NotProven("the path is too short");
  return root;
}

// Index, path, head (the text that is signed) and the lines of signatures.
function readProof(text) {
  const parts = text.split("\n\n");
  if (parts.length !== 3 || !parts[2].endsWith("\n")) {
    throw new NotProven("the proof is not three paragraphs: the path, the head, the signatures");
  }
  const [first, index, ...path] = parts[0].split("\n");
  if (first !== "c2sp.org/tlog-proof@v1" || !index?.startsWith("index ") || !WHOLE_NUMBER.test(index.slice(6))) {
    throw new NotProven("the proof does not begin with its kind and its index");
  }
  const signatures = parts[2].slice(0, -1).split("\n");
  return { index: BigInt(index.slice(6)), path: path.map(fromBase64), head: `${parts[1]}\n`, signatures };
}

function compareEvent(event, record) {
  const told = JSON.parse(event.body);
  if (told.round !== record.id) return `the event tells of round ${told.round}, not of ${record.id}`;
  if ((event.kind === "void") !== (record.state === "void")) {
    return `the event is of kind ${event.kind}, and the round is ${record.state}`;
  }
  if (event.kind === "void") return "";
  if (!told.result) return "the event does not close the round";
  const amounts = (seat) => Object.entries(seat).map(([name, bet]) => `${name} ${bet.stake} ${bet.returned}`).sort();
  const isSame = JSON.stringify(told.result.map(amounts)) === JSON.stringify(record.view.wagers.map(amounts));
  return isSame ? "" : "the event tells of other stakes or other winnings than the round";
}

function comparePath(seal, { index, path, head }) {
  const [, size, root] = head.split("\n");
  if (!WHOLE_NUMBER.test(size ?? "") || root === undefined || index >= BigInt(size)) {
    return "the head does not have that many events";
  }
  const found = rootFromPath(sha256(joined([0], seal)), index, BigInt(size), path);
  return sameBytes(found, fromBase64(root)) ? "" : "the path from the event does not lead to the root of the head";
}

function compareSignature(publicKey, { head, signatures }) {
  const name = head.split("\n")[0];
  const keyId = sha256(joined(bytesOf(`${name}\n`), [1], publicKey)).slice(0, 4);
  for (const line of signatures) {
    const [dash, signer, encoded, ...more] = line.split(" ");
    if (encoded === undefined || more.length) throw new NotProven(`${line} is not a signature`);
    const signature = fromBase64(encoded);
    if (dash === "—" && signer === name && sameBytes(signature.slice(0, 4), keyId)) {
      return isSigned(publicKey, signature.slice(4), bytesOf(head)) ? "" : ALTERED;
    }
  }
  return `the head is not signed by the key ${toHex(publicKey)}`;
}

// The books of a head and its place in their life: the epoch, and how many events they had then.
function placeOf(head) {
  const [name, size] = head.split("\n");
  const found = /^pairhouse\/books\/([^/]*)\/(.*)$/.exec(name);
  if (!found || !WHOLE_NUMBER.test(found[2]) || !WHOLE_NUMBER.test(size ?? "")) {
    throw new NotProven(`${name} is not the name of any books`);
  }
  return { books: found[1], place: [BigInt(found[2]), BigInt(size)] };
}

const isBefore = (a, b) => a[0] < b[0] || (a[0] === b[0] && a[1] < b[1]);

// The head of a handover, its signatures, and the key that it names.
function readHandover(text) {
  const trimmed = text.replace(/^\n+|\n+$/g, "");
  const end = trimmed.indexOf("\n\n");
  const head = end < 0 ? trimmed : trimmed.slice(0, end);
  const named = /^(?:.+\n){4}next-key (.+)$/.exec(head);
  if (!named) throw new NotProven("a handover does not name the next key");
  const signatures = end < 0 ? [""] : trimmed.slice(end + 2).split("\n");
  return { head: `${head}\n`, signatures, following: fromBase64(named[1]) };
}

function signedBy(key, handover) {
  const differs = compareSignature(key, handover);
  if (differs === ALTERED) throw new NotProven("a handover was altered");
  return !differs;
}

// The keys of some books, the oldest first, each with the place from which it counts. The first is the given one; a
// handover, signed by the key before and by the one that it names, adds the next.
function keysOf(publicKey, handovers, books) {
  const keys = [{ key: publicKey, since: [0n, 0n] }];
  const texts = handovers.trim() ? handovers.split(/\n(?=pairhouse\/books\/)/) : [];
  for (const text of texts) {
    const handover = readHandover(text);
    const { following } = handover;
    const { books: itsBooks, place } = placeOf(handover.head);
    if (itsBooks !== books) continue;
    const isKnown = keys.some(({ key }) => sameBytes(key, following));
    if (isKnown && keys.length === 1) {
      if (signedBy(publicKey, handover)) keys[0].since = place;
    } else if (isKnown) {
      continue;
    } else if (keys.slice(0, -1).some(({ key }) => signedBy(key, handover))) {
      throw new NotProven("two handovers name different keys after one and the same");
    } else if (signedBy(keys.at(-1).key, handover)) {
      if (!signedBy(following, handover) || isBefore(place, keys.at(-1).since)) {
        throw new NotProven("a handover is not signed by the key that it names, or comes before the one before it");
      }
      keys.push({ key: following, since: place });
    }
  }
  return keys;
}

// How the head is not signed by the key that was in force at its place; at the very place of a handover the key before
// it may have signed, too.
function compareHead(keys, proof) {
  const { place } = placeOf(proof.head);
  const last = keys.findLastIndex(({ since }) => !isBefore(place, since));
  if (last < 0) return "the head is older than the key you gave; fetch the round again, under a head of today";
  const isHandover = last > 0 && !isBefore(keys[last].since, place);
  const allowed = isHandover ? [keys[last], keys[last - 1]] : [keys[last]];
  const found = allowed.map(({ key }) => compareSignature(key, proof));
  const decides = found.find((differs) => differs === "" || differs === ALTERED);
  if (decides !== undefined) return decides;
  const isKnown = keys.some(({ key }) => !compareSignature(key, proof));
  return isKnown ? "the head is signed by a key of the house that was not in force there" : found[0];
}

function* sealFindings(record, publicKey, handovers) {
  const { event, proof } = record.seal;
  yield ["event", "the event in the log tells of this round, its stakes and its winnings", compareEvent(event, record)];
  let found;
  try {
    found = readProof(proof);
    const seal = sha256(bytesOf(FIELDS.map((field) => event[field]).join("\n")));
    yield ["log", "the event is in the log: its path leads to the root of the head", comparePath(seal, found)];
  } catch (error) {
    if (!(error instanceof NotProven)) throw error;
    yield ["log", "", error.message];
    return;
  }
  let differs;
  try {
    differs = compareHead(keysOf(fromHex(publicKey), handovers, placeOf(found.head).books), found);
  } catch (error) {
    if (!(error instanceof NotProven || error instanceof TypeError)) throw error;
    differs = error.message;
  }
  yield ["head", "the head of the log is signed by the key of the house", differs];
}

// A closed round and the public key that its house publishes, 64 hex digits -> { same, error, findings }, as `verify`.
// If the house has changed its key since, `handovers` is the text of its file of handovers.
function verifySeal(record, publicKey, handovers = "") {
  try {
    if (!record.seal) throw new NotProven("the round is not in a signed head yet; fetch it again in a minute");
    const told = [...sealFindings(record, publicKey, handovers)].map(([check, says, differs]) => ({
      check, holds: !differs, says: differs || says,
    }));
    return { same: told.every((finding) => finding.holds), error: null, findings: told };
  } catch (error) {
    const says = error instanceof NotProven ? error.message : `this is not a closed round (${error.message})`;
    return { same: false, error: says, findings: [] };
  }
}

export { verify, verifySeal, shuffled, words, draw, sha256, hmacSha256, toHex };
