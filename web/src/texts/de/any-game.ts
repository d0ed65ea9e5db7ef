/** Words of the felt that takes any game. */

import type { anyGame as words } from "../en/any-game";
import { plural } from "../plural";

const either = new Intl.ListFormat("de-DE", { type: "disjunction" });

export const anyGame: typeof words = {
  main: "Haupteinsätze",
  side: "Nebenwetten",
  hand: "Deine Karten",
  seats: "Plätze",
  layout: "Einsätze",
  added: (times, base) => (times === 1 ? `so viel wie ${base}` : `${times} × ${base}`),
  hold: (card) => `${card} halten`,
  held: "Gehalten",
  holdWhich: "Karten halten",
  holdHow: "antippen, was bleibt, dann ziehen",
  draw: (drawn) => (drawn === 0 ? "Alle behalten" : plural("de", drawn, { one: "# Karte ziehen", other: "# Karten ziehen" })),
  tour: {
    chips: "Wähle hier einen Chip. Jedes Tippen auf den Filz legt einen.",
    opener: (name) => `Ein Spiel beginnt mit einem Einsatz auf ${name}.`,
    openers: (name) => `Setze auf ${name} oder auf einen der Einsätze daneben.`,
    side: (name, price) => `${name} ist eine Wette für sich${price === "" ? "" : `: sie zahlt ${price}`}. Halten oder zeigen, um mehr zu lesen.`,
    choices: (words) => `Wenn du an der Reihe bist, fragt diese Zeile: ${either.format(words)}. Was es kostet, steht auf dem Knopf.`,
    keep: "Nach dem Geben tippst du die Karten an, die bleiben; die anderen werden ersetzt.",
    deal: "Geben, wenn deine Einsätze liegen. Viel Vergnügen.",
  },
};
