/** Wie jedes Spiel geht, in der Reihenfolge, in der Anfänger es brauchen. */

import { tours as english, type Step } from "../en/tour";

const CHIPS = "Wähle hier einen Chip. Jedes Tippen auf den Filz legt einen hin.";
const LINE = "Diese Zeile sagt immer, was gefragt ist. Viel Spaß.";

const WORDS: Record<string, string[]> = {
  "blackjack-poker-pairs": [
    CHIPS,
    "Dein Blackjack-Einsatz. Komm näher an 21 als der Geber, ohne darüber zu gehen.",
    "Ein Ass mit einer Zehn oder einem Bild ist ein Blackjack und zahlt sofort 3 zu 2.",
    "Pairs gewinnt, wenn deine ersten zwei Karten gleich sind, bis 30 zu 1.",
    "Poker nimmt die erste Karte des Gebers zu deinen zwei: ein Flush oder besser gewinnt.",
    LINE,
  ],
  "pair-v3": [
    CHIPS,
    "Dein Blackjack-Einsatz. Komm näher an 21 als der Geber, ohne darüber zu gehen.",
    "Ein Ass mit einer Zehn oder einem Bild ist ein Blackjack und zahlt mehr.",
    "PAIR sieht auf deine zwei Karten und die erste des Gebers: jedes Paar darin gewinnt.",
    LINE,
  ],
  "three-card-poker": [
    CHIPS,
    "Ante spielt deine drei Karten gegen die drei des Gebers.",
    "Nach einem Blick auf deine Karten spielst du, für noch einmal so viel, oder passt und verlierst den Ante.",
    "Ohne Dame oder besser spielt der Geber nicht: Ante gewinnt, Play kommt zurück.",
    "Pairplus zahlt nur auf deine eigene Hand, ab einem Paar. Passen verliert es mit.",
    LINE,
  ],
  "nepal-super-baccarat": [
    CHIPS,
    "Setze auf die Hand, die näher an neun endet. Zehnen und Bilder zählen nichts.",
    "Banker zahlt eins zu eins ohne Kommission, aber nur die Hälfte, wenn er mit sechs gewinnt.",
    "Ein Tie zahlt 8 zu 1; Einsätze auf Player und Banker kommen dann zurück.",
    "Oder nenne die Summe, mit der gewonnen wird. Kleine Chance, hoher Preis.",
    "Die Tafeln zeigen, wie es bisher lief. Über das nächste Spiel sagen sie nichts.",
    LINE,
  ],
  "la-paire": [
    CHIPS,
    "First Card: nenne den Wert der ersten Karte für 12 zu 1. Jedes Spiel braucht so einen Einsatz.",
    "Ein Chip auf einer Linie oder Ecke deckt alle Werte, die er berührt.",
    "Rot und Schwarz gelten der Farbe der ersten Karte. Ein Joker ist keines von beiden.",
    "Hat die zweite Karte den Wert der ersten, gewinnen die Paarwetten.",
    "Alle drei Karten bilden eine Pokerhand: ein Flush oder besser gewinnt.",
    LINE,
  ],
};

/** Places and cards are the same in every language; only the words are other ones. */
export const tours: Record<string, Step[]> = Object.fromEntries(
  Object.entries(english).map(([game, steps]) => [game, steps.map((step, index) => ({ ...step, text: WORDS[game]?.[index] ?? step.text }))]),
);
