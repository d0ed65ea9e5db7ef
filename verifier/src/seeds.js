// The seeds of several people in one shuffle: those that were opened are those that were committed to and mixed in.

import { fromHex, joined, sha256, toHex } from "./hash.js";

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
export function compareSeeds(mixed, clientSeeds) {
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
