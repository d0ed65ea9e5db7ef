/** Was das Haus in seinen eigenen Worten schickt: Ansagen, Hände, Zeilen der Gewinntafeln, Tische. Der Schlüssel ist der
 * Satz des Hauses; eine Ansage mit Zahlen steht für jede Zahl, die sie nennen kann. `tests/german.test.ts` prüft, dass
 * keiner fehlt. */

const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, index) => from + index);
const fill = (words: string, first: number | string, second: number | string): string =>
  words.replaceAll("{0}", String(first)).replaceAll("{1}", String(second));

/** Ein Satz mit Zahlen, für alle Zahlen. */
function each(words: string, german: string, firsts: readonly (number | string)[], seconds: readonly (number | string)[] = [""]): [string, string][] {
  return firsts.flatMap((first) => seconds.map((second): [string, string] => [fill(words, first, second), fill(german, first, second)]));
}

const ANNOUNCED: [string, string][] = [
  ["The dealer does not have blackjack.", "Der Geber hat keinen Blackjack."],
  ["The dealer has blackjack.", "Der Geber hat Blackjack."],
  ["Blackjack.", "Blackjack."],
  ["21 stands.", "21 bleibt."],
  ...each("Bust with {0}.", "Überkauft mit {0}.", range(22, 31)),
  ...each("{0} cards win.", "{0} Karten gewinnen.", range(5, 8)),
  ...each("The dealer stands on {0}.", "Der Geber bleibt bei {0}.", range(17, 21)),
  ...each("The dealer busts with {0}.", "Der Geber überkauft sich mit {0}.", range(22, 26)),
  ["No hand is live, so the dealer draws no more.", "Keine Hand ist mehr im Spiel, der Geber zieht nicht."],
  ["The dealer qualifies.", "Der Geber spielt mit."],
  ["The dealer does not qualify.", "Der Geber spielt nicht mit."],
  ...each("A natural, Player {0} and Banker {1}: no more cards.", "Natural, Player {0} und Banker {1}: keine Karten mehr.", range(0, 9), range(0, 9)),
  ...each("Player {0} stands.", "Player bleibt bei {0}.", range(0, 9)),
  ...each("Player {0} draws.", "Player zieht bei {0}.", range(0, 9)),
  ...each("Player stood, Banker {0} stands.", "Player blieb, Banker bleibt bei {0}.", range(0, 9)),
  ...each("Player stood, Banker {0} draws.", "Player blieb, Banker zieht bei {0}.", range(0, 9)),
  ...each("Banker {0} stands on a {1}.", "Banker bleibt bei {0} gegen eine {1}.", range(0, 9), range(0, 9)),
  ...each("Banker {0} draws on a {1}.", "Banker zieht bei {0} gegen eine {1}.", range(0, 9), range(0, 9)),
  ...each("Player wins, {0} over {1}.", "Player gewinnt, {0} gegen {1}.", range(0, 9), range(0, 9)),
  ...each("Banker wins, {0} over {1}.", "Banker gewinnt, {0} gegen {1}.", range(0, 9), range(0, 9)),
  ...each("Tie at {0}.", "Tie mit {0}.", range(0, 9)),
  ...each("Marker on {0}.", "Marker auf {0}.", ["A", "J", "Q", "K", "Joker", ...range(2, 10)]),
  ...each("La Pair'e: marker on the second {0}.", "La Pair'e: Marker auch auf der zweiten {0}.", ["A", "J", "Q", "K", "Joker", ...range(2, 10)]),
  ["No pair.", "Kein Paar."],
];

const WARNED: [string, string][] = [
  ["this is a soft 20", "Das ist eine weiche 20."],
  ...each("this is a hard {0}", "Das ist eine harte {0}.", range(17, 20)),
];

const RANKS: Record<string, [one: string, many: string]> = {
  ace: ["Ass", "Asse"],
  two: ["Zwei", "Zweien"],
  three: ["Drei", "Dreien"],
  four: ["Vier", "Vieren"],
  five: ["Fünf", "Fünfen"],
  six: ["Sechs", "Sechsen"],
  seven: ["Sieben", "Siebenen"],
  eight: ["Acht", "Achten"],
  nine: ["Neun", "Neunen"],
  ten: ["Zehn", "Zehnen"],
  jack: ["Bube", "Buben"],
  queen: ["Dame", "Damen"],
  king: ["König", "Könige"],
};
const HANDS: [string, string][] = [
  ...each("soft {0}", "weiche {0}", range(12, 20)),
  ...each("bust with {0}", "überkauft, {0}", range(22, 31)),
  ...Object.entries(RANKS).flatMap(([rank, [one, many]]): [string, string][] => [
    [`${rank} high`, `${one} hoch`],
    [`pair of ${rank}${rank === "six" ? "es" : "s"}`, `ein Paar ${many}`],
    [`three ${rank}${rank === "six" ? "es" : "s"}`, `drei ${many}`],
    [`${rank}-high flush`, `Flush bis ${one}`],
    [`${rank}-high straight`, `Straße bis ${one}`],
    [`${rank}-high straight flush`, `Straight Flush bis ${one}`],
  ]),
];

const BETWEEN = ["2 8 A", "7 K joker", "2 3 8 9", "3 4 9 10", "4 5 10 J", "5 6 J Q", "6 7 Q K"];
const VALUES = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
const ROWS: Record<string, string> = {
  blackjack: "Blackjack",
  "5 cards": "5 Karten",
  "6 cards": "6 Karten",
  "7 cards": "7 Karten",
  "8 cards": "8 Karten",
  win: "Gewinn",
  push: "Unentschieden",
  bust: "überkauft",
  surrender: "aufgegeben",
  "dealer blackjack": "Blackjack des Gebers",
  lose: "verloren",
  "no win": "kein Gewinn",
  "suited pair": "gleiches Paar",
  "coloured pair": "farbiges Paar",
  "mixed pair": "gemischtes Paar",
  "suited three of a kind": "Drilling einer Farbe",
  "straight flush": "Straight Flush",
  "three of a kind": "Drilling",
  straight: "Straße",
  flush: "Flush",
  "royal flush": "Royal Flush",
  "3 of a kind": "Drilling",
  "3 of a kind (suited)": "Drilling (gleiche Farbe)",
  "3 of a kind (mixed)": "Drilling (gemischt)",
  "any pair": "irgendein Paar",
  "any pair (suited)": "irgendein Paar (gleiche Farbe)",
  "any pair (mixed)": "irgendein Paar (gemischt)",
  "player pair": "eigenes Paar",
  "player pair (suited)": "eigenes Paar (gleiche Farbe)",
  folded: "gepasst",
  "dealer does not qualify": "Geber spielt nicht mit",
  "beats the dealer": "schlägt den Geber",
  tie: "Gleichstand",
  "dealer wins": "Geber gewinnt",
  pair: "Paar",
  "less than a pair": "weniger als ein Paar",
  "no bonus": "kein Bonus",
  "mini royal": "Mini Royal",
  "Player wins": "Player gewinnt",
  "Banker wins": "Banker gewinnt",
  "Banker wins on 6": "Banker gewinnt mit 6",
  "three-card six": "Sechs aus drei Karten",
  "two-card six": "Sechs aus zwei Karten",
  red: "rot",
  black: "schwarz",
  joker: "Joker",
  "pair of Jokers": "ein Paar Joker",
  "two Jokers": "zwei Joker",
  void: "ungültig",
};
const ROWS_WITH_NUMBERS: [string, string][] = [
  ...each("Player on {0}", "Player mit {0}", range(1, 9)),
  ...each("Banker on {0}", "Banker mit {0}", range(1, 9)),
  ...each("Tie on {0}", "Tie mit {0}", range(0, 9)),
  ...VALUES.map((value): [string, string] => [`pair of ${value}s`, `ein Paar ${value}`]),
  ...each("{0} or {1}", "{0} oder {1}", VALUES, VALUES),
  ...VALUES.map((value): [string, string] => [`${value} or joker`, `${value} oder Joker`]),
  ...BETWEEN.map((values): [string, string] => [values.split(" ").join(" or "), values.replace("joker", "Joker").split(" ").join(" oder ")]),
];

const LABELS: [string, string][] = [
  ...each("{0} decks", "{0} Kartenspiele", range(2, 8)),
  ...each("{0} decks, paytable {1}", "{0} Kartenspiele, Tafel {1}", [2, 6, 8], ["A", "B", "C", "D"]),
  ...each("live, {0} decks", "live, {0} Kartenspiele", range(2, 8)),
  ["live", "live"],
  ...["40-30-6-3-1", "40-30-6-4-1", "40-30-5-4-1"].flatMap((prices): [string, string][] => [
    [`Pairplus ${prices}`, `Pairplus ${prices}`],
    [`Pairplus ${prices}, progressive`, `Pairplus ${prices}, mit Jackpot`],
  ]),
  ["all pair bets", "alle Paarwetten"],
  ["La Pair'e bets only", "nur La Pair'e-Wetten"],
  ["Any Pair'e only", "nur Any Pair'e"],
];
const GAMES = ["Blackjack Poker & Pairs", "PAIR Version 3", "Three Card Poker", "Nepal Super Baccarat", "La Pair'e", "Blackjack"];
const TABLES = GAMES.flatMap((game) => LABELS.map(([label, german]): [string, string] => [`${game}, ${label}`, `${game}, ${german}`]));

const CHARTS: Record<string, string> = {
  "Hard totals": "Harte Summen",
  "Soft totals": "Weiche Summen",
  Pairs: "Paare",
  "hand, by up card": "Hand, gegen die offene Karte",
  "Queen-high hands: antes won by playing (folding costs 1)": "Hände mit Dame hoch: was Spielen in Antes bringt (Passen kostet 1)",
  "second card, by third card": "zweite Karte, nach der dritten",
};

/** Jeder Satz des Hauses auf Deutsch. */
export const words: Record<string, string> = {
  ...Object.fromEntries([...ANNOUNCED, ...WARNED, ...HANDS, ...ROWS_WITH_NUMBERS, ...LABELS, ...TABLES]),
  ...ROWS,
  ...CHARTS,
};

/** Wetten, deren Name auf Deutsch ein anderer ist, nach Spiel und Wette. */
const BLACKJACK = { insurance: "Versicherung" };
export const wagers: Record<string, Record<string, string>> = {
  "blackjack-poker-pairs": BLACKJACK,
  "pair-v3": BLACKJACK,
  blackjack: BLACKJACK,
  "three-card-poker": { "ante-bonus": "Ante-Bonus" },
  "nepal-super-baccarat": {
    "player-pair": "Player-Paar",
    "banker-pair": "Banker-Paar",
    ...Object.fromEntries([...each("player-on-{0}", "Player gewinnt mit {0}", range(1, 9)), ...each("banker-on-{0}", "Banker gewinnt mit {0}", range(1, 9))]),
    ...Object.fromEntries(each("tie-on-{0}", "Tie mit {0}", range(0, 9))),
  },
  "la-paire": { red: "First Card Rot", black: "First Card Schwarz", poker: "Poker mit der dritten Karte" },
};

/** Überschriften, unter denen Wetten beisammen liegen. */
export const groups: Record<string, string> = {
  Pairs: "Paare",
  "Player Wins On": "Player gewinnt mit",
  "Banker Wins On": "Banker gewinnt mit",
  "Tie Wins On": "Tie mit",
  "First Card: card": "First Card: eine Karte",
  "First Card: split": "First Card: zwei Karten",
  "First Card: three": "First Card: drei Karten",
  "First Card: corner": "First Card: vier Karten",
  "La Pair'e Card": "La Pair'e Card",
};
