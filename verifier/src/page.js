// The page: take a round, check it, say what was found.

import { verifySeal } from "./seal.js";
import { verify } from "./verify.js";

const SUITS = { c: ["♣", "clubs"], d: ["♦", "diamonds"], h: ["♥", "hearts"], s: ["♠", "spades"] };
const at = (id) => document.getElementById(id);

function made(tag, text = "", className = "") {
  const element = document.createElement(tag);
  element.textContent = text;
  if (className) element.className = className;
  return element;
}

function cardElement(face) {
  const [symbol, word] = SUITS[face.at(-1)] ?? ["", "Joker"];
  const item = made("li", symbol ? face.slice(0, -1) + symbol : "Joker", "dh".includes(face.at(-1)) ? "red" : "");
  item.setAttribute("aria-label", symbol ? `${face.slice(0, -1)} of ${word}` : word);
  return item;
}

const money = (minor) => (minor / 100).toLocaleString("en", { minimumFractionDigits: 2 });

function wagerRows(wagers) {
  return wagers.flatMap((seat, number) =>
    Object.entries(seat).map(([wager, amounts]) => {
      const row = made("tr");
      row.append(made("td", String(number + 1)), made("td", wager));
      row.append(...amounts.map((amount) => made("td", money(amount), "amount")));
      return row;
    }),
  );
}

function seedRows(proof) {
  const shown = {
    Game: proof.game,
    "Rules hash": proof.rules_hash,
    Commitment: proof.commitment,
    "Server seed": proof.server_seed,
    "Client seeds": proof.client_seeds.join(" · "),
    Nonce: proof.nonce,
    "First card": proof.first_card,
  };
  return Object.entries(shown).flatMap(([name, value]) => [made("dt", name), made("dd", String(value))]);
}

// What the seeds and the rules say, and what the signed log says where the key of the house is given.
function checked(text, publicKey, handovers) {
  const dealt = verify(text);
  if (dealt.error || !publicKey) return dealt;
  const sealed = verifySeal(JSON.parse(text), publicKey, handovers);
  const more = sealed.error ? [{ check: "log", holds: false, says: sealed.error }] : sealed.findings;
  return { ...dealt, same: dealt.same && sealed.same, findings: [...dealt.findings, ...more] };
}

function show(text) {
  const { same, error, findings, cards, wagers, unchecked } = checked(text, at("key").value.trim(), at("handovers").value);
  const verdict = made("p", "", same ? "good" : "bad");
  verdict.id = "verdict";
  verdict.textContent = error
    ? `This round cannot be checked: ${error}.`
    : same ? (unchecked ? `✓ Seeds, shuffle and cards are the same. ${unchecked}` : "✓ Everything is the same.") : "✗ Something differs.";
  const list = made("ol");
  for (const { check, holds, says } of findings) {
    const item = made("li");
    const mark = made("span", holds ? "✓" : "✗", `mark ${holds ? "good" : "bad"}`);
    mark.setAttribute("aria-label", holds ? "holds:" : "differs:");
    mark.setAttribute("role", "img");
    item.append(mark, made("b", check), made("span", says));
    list.append(item);
  }
  at("result").replaceChildren(verdict, ...(findings.length ? [list] : []));
  at("details").hidden = !findings.length;
  if (!findings.length) return;
  at("cards").replaceChildren(...cards.map(cardElement));
  at("wagers").replaceChildren(...wagerRows(wagers));
  at("seeds").replaceChildren(...seedRows(JSON.parse(text).proof));
}

async function take(file) {
  if (!file) return;
  at("round").value = await file.text();
  show(at("round").value);
}

at("form").addEventListener("submit", (event) => {
  event.preventDefault();
  show(at("round").value);
});
at("file").addEventListener("change", (event) => take(event.target.files[0]));
for (const name of ["dragover", "dragleave", "drop"]) {
  at("form").addEventListener(name, (event) => {
    event.preventDefault();
    at("form").classList.toggle("dropping", name === "dragover");
    if (name === "drop") take(event.dataTransfer.files[0]);
  });
}
