// The checks that a closed round is in the signed log of its house: the event, its path to the root, the signed head.

import { isSigned } from "./ed25519.js";
import { fromHex, joined, sha256, toHex } from "./hash.js";

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
export function verifySeal(record, publicKey, handovers = "") {
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
