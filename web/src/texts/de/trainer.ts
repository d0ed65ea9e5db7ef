/** Üben: Entscheidungen und Zählen. */

import type { Texts } from "../en/index";
import { plural } from "../plural";

export const trainer: Pick<Texts, "trainer"> = {
  trainer: {
    title: "Üben",
    pitch: "Übe die Entscheidungen, bei denen Fehler am meisten kosten.",
    choose: "Was willst du üben?",
    decisions: "Entscheiden",
    counting: "Zählen",
    preparing: "Die Hände werden ausgerechnet. Das dauert einmal ein paar Sekunden.",
    right: "Am besten.",
    wrong: (cost) => `Das kostet ${cost} Einsätze.`,
    next: "Nächste Hand",
    streak: (count) => `Serie ${count}`,
    bestStreak: (count) => `beste ${count}`,
    score: (right, all) => `${right} von ${all} richtig`,
    review: (cents) => `So gespielt kosten deine Fehler ${cents} Cent je 100 Hände zu 1,00.`,
    perfect: "Noch kein Fehler in dem, was du geübt hast.",
    weakest: "Wo es hakt",
    often: (share) => `${share} der Hände`,
    again: "Von vorn",
    how: "Hände kommen so oft, wie sie gegeben werden, mal dem, was der kleinste Fehler kostet. Was du kannst, kommt seltener.",
    values: "Wert jeder Wahl, in Einsätzen",
    count: {
      says: "2 bis 6 zählen +1, 7 bis 9 zählen 0, Zehnen und Asse zählen −1. Schau zu, dann nenne die Summe.",
      noGain: "An diesem Tisch bringt Zählen fast nichts; es übt das Auge.",
      start: "Geben",
      speed: "Tempo",
      speeds: { slow: "Langsam", normal: "Normal", fast: "Schnell" },
      ask: "Wie steht die Zählung?",
      less: "Eins weniger",
      more: "Eins mehr",
      answer: "Prüfen",
      right: (count) => `Richtig: ${count}.`,
      wrong: (count) => `Es war ${count}.`,
      card: (now, all) => `Karte ${now} von ${all}`,
      cards: (count) => plural("de", count, { one: "# Karte", other: "# Karten" }),
    },
  },
};
