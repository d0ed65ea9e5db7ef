/** The keyboard of a table, as the options list it. */

export const keys = {
  title: "Keys",
  list: [
    ["Space", "deal"],
    ["R, E", "rebet and deal, rebet"],
    ["1 to 7", "choose a chip"],
    ["Tab, arrows", "move between bets"],
    ["Enter", "place a chip"],
    ["Backspace", "take a chip back"],
    ["U, C, X, N", "undo, clear, double bet, new game"],
    ["H S D P G", "hit, stand, double, split, surrender"],
    ["I, O", "insurance, no insurance"],
    ["?", "what the bet in focus pays"],
    ["P, F", "play, fold"],
  ] as [string, string][],
};
