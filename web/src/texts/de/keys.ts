/** Die Tasten eines Tisches, wie die Optionen sie zeigen. */

import type { Texts } from "../en/index";

export const keys: Texts["keys"] = {
  title: "Tasten",
  list: [
    ["Leertaste", "geben"],
    ["R", "wieder setzen und geben"],
    ["1 bis 7", "Chip wählen"],
    ["Tab, Pfeile", "zwischen Einsätzen wandern"],
    ["Enter", "Chip setzen"],
    ["Rücktaste", "Chip zurücknehmen"],
    ["U, C, X, N", "zurück, leeren, verdoppeln, neues Spiel"],
    ["H S D P", "Karte, bleiben, verdoppeln, teilen"],
    ["I, O", "Versicherung, keine Versicherung"],
    ["?", "was der Einsatz zahlt"],
    ["P, F", "spielen, passen"],
  ],
};
