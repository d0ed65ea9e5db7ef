// SHA-512 and the verification of Ed25519 signatures (RFC 8032), written out so that the page works from a file on a
// disk, where browsers may withhold theirs. Nothing here is secret, so it need not take the same time for every input.

import { joined } from "./hash.js";

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

export function sha512(bytes) {
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
export function isSigned(publicKey, signature, message) {
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
