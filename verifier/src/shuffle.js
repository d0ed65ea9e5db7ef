// The words of a stream, fair draws from them, and the order of the cards: scheme "pairhouse/1".

import { fromHex, hmacSha256, joined } from "./hash.js";

export const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
export const PACK = [..."cdhs"].flatMap((suit) => RANKS.map((rank) => rank + suit));
export const JOKERS = ["X1", "X2"];

const utf8 = new TextEncoder();

// A number as so many bytes, the highest first.
function bigEndian(number, size) {
  const bytes = new Uint8Array(size);
  let rest = BigInt(number);
  for (let at = size - 1; at >= 0; at--, rest >>= 8n) bytes[at] = Number(rest & 255n);
  return bytes;
}

const field = (bytes) => joined(bigEndian(bytes.length, 4), bytes);

export function* words(proof) {
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
export function draw(source, n) {
  const limit = 2 ** 32 - (2 ** 32 % n);
  let word = source.next().value;
  while (word >= limit) word = source.next().value;
  return word % n;
}

// The cards in dealing order, as far as the first `places` of them; `gone` are no longer in the shoe.
export function shuffled(proof, decks, jokers, places = Infinity, gone = []) {
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
