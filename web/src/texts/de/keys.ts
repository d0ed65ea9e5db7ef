/** Die Tasten eines Tisches, wie die Optionen sie zeigen. */

import type { Texts } from "../en/index";

export const keys: Texts["keys"] = {
  title: "Tasten",
  list: [
    ["Leertaste", "geben"],
    ["R, E", "wieder setzen und geben, wieder setzen"],
    ["1 bis 7", "Chip wählen"],
    ["Tab, Pfeile", "zwischen Einsätzen wandern"],
    ["Enter", "Chip setzen"],
    ["Rücktaste", "Chip zurücknehmen"],
    ["U, C, X, N", "zurück, leeren, verdoppeln, neues Spiel"],
    ["H S D P G", "Karte, bleiben, verdoppeln, teilen, aufgeben"],
    ["I, O", "Versicherung, keine Versicherung"],
    ["?", "was der Einsatz zahlt"],
    ["P, F", "spielen, passen"],
  ],
};
