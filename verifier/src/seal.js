// The checks that a closed round is in the signed log of its house: the event, its path to the root, the signed head.

import { isSigned } from "./ed25519.js";
import { fromHex, joined, sha256, toHex } from "./hash.js";

const WHOLE_NUMBER = /^(0|[1-9][0-9]{0,18})$/;
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
      return isSigned(publicKey, signature.slice(4), bytesOf(head)) ? "" : "the head was altered";
    }
  }
  return `the head is not signed by the key ${toHex(publicKey)}`;
}

function* sealFindings(record, publicKey) {
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
    differs = compareSignature(fromHex(publicKey), found);
  } catch (error) {
    if (!(error instanceof NotProven || error instanceof TypeError)) throw error;
    differs = error.message;
  }
  yield ["head", "the head of the log is signed by the key of the house", differs];
}

// A closed round and the public key that its house publishes, 64 hex digits -> { same, error, findings }, as `verify`.
export function verifySeal(record, publicKey) {
  try {
    if (!record.seal) throw new NotProven("the round is not in a signed head yet; fetch it again in a minute");
    const told = [...sealFindings(record, publicKey)].map(([check, says, differs]) => ({
      check, holds: !differs, says: differs || says,
    }));
    return { same: told.every((finding) => finding.holds), error: null, findings: told };
  } catch (error) {
    const says = error instanceof NotProven ? error.message : `this is not a closed round (${error.message})`;
    return { same: false, error: says, findings: [] };
  }
}
