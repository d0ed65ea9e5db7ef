/** Ein Spiel prüfen, und die Zahlen, mit denen gemischt wird. */

import type { Texts } from "../en/index";
import { plural } from "../plural";

export const fairness: Pick<Texts, "verify" | "fair"> = {
  verify: {
    title: "Beweis",
    press: "Dieses Spiel prüfen",
    verified: "Jede Prüfung stimmt.",
    partly: "Seeds, Mischung und Karten stimmen.",
    failed: "Eine Prüfung stimmt nicht.",
    sealed: "Die Zahl des Hauses ist noch versiegelt. Nimm an diesem Tisch eine neue, dann wird die alte gezeigt und alles lässt sich prüfen.",
    sealedForOthers: "Die Zahl des Hauses ist noch versiegelt. Sobald der Spieler dieses Spiels eine neue nimmt, steht sie hier und alles lässt sich prüfen.",
    reveal: "Zahl aufdecken und prüfen",
    commitment: "Festlegung",
    serverSeed: "Zahl des Hauses",
    clientSeed: "Deine Zahl",
    nonce: "Nummer des Mischens",
    hidden: "versiegelt, bis du eine neue nimmst",
    hiddenForOthers: "noch versiegelt",
    missing: "Der Prüfer fehlt in dieser Fassung; nimm „pairhouse verify“ mit dem gespeicherten Spiel.",
    save: "Spiel speichern",
    checks: {
      commitment: ["Festlegung", "die aufgedeckte Zahl des Hauses ergibt den Hash, der vor dem Einsatz gezeigt wurde"],
      names: ["Namen", "Beweis, Aufzeichnung und Ausgang sprechen von einem Spiel und denselben Regeln"],
      seeds: ["Zahlen", "die aufgedeckten Zahlen, und keine anderen, wurden eingemischt"],
      place: ["Stelle", "das Spiel beginnt, wo seine Mischung oder das Spiel davor es sagt"],
      cards: ["Karten", "die Zahlen geben genau die aufgezeichneten Karten, in dieser Reihenfolge"],
      settlement: ["Abrechnung", "nach dem Regelbuch kommt jede Wette auf das, was bezahlt wurde"],
    },
    own: "Hier geprüft, in deinem Browser, mit Code, der nichts mit dem Server teilt.",
  },
  fair: {
    title: "Fairness",
    says: "Bevor du setzt, legt sich das Haus mit diesem Hash auf seine geheime Zahl fest. Deine eigene Zahl geht in jedes Mischen ein; keine Seite allein bestimmt eine Karte.",
    yours: "Deine Zahl für das nächste Spiel",
    fresh: "Jedes Spiel eine neue zufällige Zahl",
    rotate: "Neue Zahl des Hauses, alte zeigen",
    revealed: "Aufgedeckt",
    seeds: "Zahlen an diesem Tisch",
    rounds: (count) => plural("de", count, { one: "# Mischen", other: "# Mal gemischt" }),
  },
};
