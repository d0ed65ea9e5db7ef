/** Was das Haus an seinen Tischen sagt, nach den Schlüsseln von `GET /texts`: Ansagen, Zeilen der Gewinntafeln, Hände,
 * Warnungen, Gruppen, Tische. `tests/german.test.ts` prüft, dass keiner fehlt und keiner zu viel ist. */

type Words = Record<string, string>;

const BLACKJACKS = ["blackjack-poker-pairs", "pair-v3", "blackjack"];
const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
const VALUES = [...RANKS, "joker"];
const TOP = ["2", "3", "4", "5", "6", "7"];
const BOTTOM = ["8", "9", "10", "J", "Q", "K"];
const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, index) => from + index);
const joined = (maps: readonly Words[]): Words => Object.assign({}, ...maps) as Words;
/** Texte, die das Haus zählt: der erste hat die 0. */
const listed = (key: string, texts: readonly string[]): Words => Object.fromEntries(texts.map((text, number) => [`${key}/${number}`, text]));
const big = (value: string): string => (value === "joker" ? "Joker" : value);

const SAYS: Record<string, string[]> = {
  ...Object.fromEntries(
    BLACKJACKS.map((game) => [
      game,
      [
        "Der Geber hat keinen Blackjack.",
        "Der Geber hat Blackjack.",
        "Blackjack.",
        "21 bleibt.",
        "Überkauft mit {0}.",
        "{0} Karten gewinnen.",
        "Der Geber bleibt bei {0}.",
        "Der Geber überkauft sich mit {0}.",
        "Keine Hand ist mehr im Spiel, der Geber zieht nicht.",
      ],
    ]),
  ),
  "three-card-poker": ["Der Geber spielt mit.", "Der Geber spielt nicht mit."],
  "nepal-super-baccarat": [
    "Natural, Player {0} und Banker {1}: keine Karten mehr.",
    "Player bleibt bei {0}.",
    "Player zieht bei {0}.",
    "Player blieb, Banker bleibt bei {0}.",
    "Player blieb, Banker zieht bei {0}.",
    "Banker bleibt bei {0} gegen eine {1}.",
    "Banker zieht bei {0} gegen eine {1}.",
    "Player gewinnt, {0} gegen {1}.",
    "Banker gewinnt, {0} gegen {1}.",
    "Tie mit {0}.",
  ],
  "la-paire": [
    ...VALUES.map((value) => `Marker auf ${big(value)}.`),
    ...VALUES.map((value) => `La Pair'e: Marker auch auf der zweiten ${big(value)}.`),
    "Kein Paar.",
  ],
};

const MAIN = ["Gewinn", "Unentschieden", "überkauft", "Blackjack des Gebers", "verloren"];
const CHARLIES = range(5, 8).map((cards) => `${cards} Karten`);
const LOST = "kein Gewinn";
const SHOWDOWN = ["gepasst", "Geber spielt nicht mit", "schlägt den Geber", "Gleichstand", "Geber gewinnt"];
/** Die Orte der La Pair'e, die zwischen den Werten liegen, mit den Werten, die sie berühren. */
const TOUCHED = [
  ...VALUES.map((value) => ["card", value]),
  ["split", "A", "2"],
  ["split", "A", "8"],
  ...[TOP, BOTTOM].flatMap((row) => row.slice(1).map((value, at) => ["split", row[at] ?? "", value])),
  ...TOP.map((value, at) => ["split", value, BOTTOM[at] ?? ""]),
  ["split", "7", "joker"],
  ["split", "K", "joker"],
  ["three", "2", "8", "A"],
  ["three", "7", "K", "joker"],
  ...range(0, 4).map((at) => ["corner", ...TOP.slice(at, at + 2), ...BOTTOM.slice(at, at + 2)]),
];
const ROWS: Record<string, Record<string, string[]>> = {
  "blackjack-poker-pairs": {
    main: ["Blackjack", "8 Karten", ...MAIN],
    insurance: ["Blackjack des Gebers", LOST],
    pairs: ["gleiches Paar", "farbiges Paar", "gemischtes Paar", LOST],
    poker: ["Drilling einer Farbe", "Straight Flush", "Drilling", "Straße", "Flush", LOST],
  },
  "pair-v3": {
    main: ["Blackjack", ...MAIN, "aufgegeben", ...CHARLIES],
    insurance: ["Blackjack des Gebers", LOST],
    pair: [
      "Drilling (gleiche Farbe)",
      "Drilling (gemischt)",
      "irgendein Paar",
      LOST,
      "Drilling",
      "irgendein Paar (gleiche Farbe)",
      "irgendein Paar (gemischt)",
      "eigenes Paar",
      "Royal Flush",
      "Flush",
      "eigenes Paar (gleiche Farbe)",
    ],
  },
  blackjack: { main: ["Blackjack", ...MAIN, "aufgegeben", ...CHARLIES], insurance: ["Blackjack des Gebers", LOST] },
  "three-card-poker": {
    ante: SHOWDOWN,
    play: SHOWDOWN.slice(1),
    "ante-bonus": ["gepasst", "Straight Flush", "Drilling", "Straße", "kein Bonus"],
    pairplus: ["gepasst", "Straight Flush", "Drilling", "Straße", "Flush", "Paar", "weniger als ein Paar"],
    progressive: ["gepasst", "Mini Royal", "Straight Flush", "Drilling", LOST],
  },
  "nepal-super-baccarat": {
    player: ["Player gewinnt", "Gleichstand", LOST],
    banker: ["Banker gewinnt mit 6", "Banker gewinnt", "Gleichstand", LOST],
    tie: ["Gleichstand", LOST],
    "player-pair": ["Paar", LOST],
    "banker-pair": ["Paar", LOST],
    ...Object.fromEntries(["lucky-6", "banker-on-6"].map((wager) => [wager, ["Sechs aus drei Karten", "Sechs aus zwei Karten", LOST]])),
    ...Object.fromEntries(
      (["player", "tie", "banker"] as const).flatMap((side) =>
        range(side === "tie" ? 0 : 1, 9)
          .filter((total) => side !== "banker" || total !== 6)
          .map((total) => [`${side}-on-${total}`, [`${{ player: "Player", tie: "Tie", banker: "Banker" }[side]} mit ${total}`, LOST]]),
      ),
    ),
  },
  "la-paire": {
    ...Object.fromEntries(TOUCHED.map(([kind, ...values]) => [[kind, ...values].join("-"), [values.map(big).join(" oder "), LOST]])),
    red: ["rot", LOST],
    black: ["schwarz", LOST],
    ...Object.fromEntries(VALUES.map((value) => [`paire-${value}`, [`ein Paar ${big(value)}`, LOST]])),
    "any-paire": ["ein Paar Joker", "Paar", LOST],
    poker: ["zwei Joker", "Mini Royal", "Straight Flush", "Drilling", "Straße", "Flush", LOST],
  },
};

const NAMES = ["Ass", "Zwei", "Drei", "Vier", "Fünf", "Sechs", "Sieben", "Acht", "Neun", "Zehn", "Bube", "Dame", "König"];
const PLURALS = ["Asse", "Zweien", "Dreien", "Vieren", "Fünfen", "Sechsen", "Siebenen", "Achten", "Neunen", "Zehnen", "Buben", "Damen", "Könige"];
/** Hände nach den ersten Karten, die so heißen. Eine Farbe: lauter Kreuz; sonst Kreuz, Karo, Herz. */
function pokerHands(): Words {
  const cards = (ranks: readonly number[], suits: string): string => ranks.map((rank, at) => `${RANKS[rank] ?? ""}${suits[at] ?? ""}`).join("-");
  const called: [readonly number[], string, string][] = [];
  for (const rank of range(0, 12)) {
    const name = NAMES[rank] ?? "";
    called.push([[rank, rank, rank], "cdh", `drei ${PLURALS[rank]}`]);
    called.push([rank === 0 ? [0, 0, 1] : [0, rank, rank], "cdh", `ein Paar ${PLURALS[rank]}`]);
    const high = rank === 0 ? [0, 1, 3] : [1, 2, rank];
    if (rank === 0 || rank > 3) called.push([high, "ccc", `Flush bis ${name}`], [high, "cdh", `${name} hoch`]);
    const straight = rank === 0 ? [0, 11, 12] : [rank - 2, rank - 1, rank];
    if (rank === 0 || rank > 1) called.push([straight, "cdh", `Straße bis ${name}`]);
    if (rank > 1) called.push([straight, "ccc", `Straight Flush bis ${name}`]);
  }
  called.push([[0, 11, 12], "ccc", "Mini Royal"]);
  return Object.fromEntries(called.map(([ranks, suits, name]) => [`three-card-poker/hands/${cards(ranks, suits)}`, name]));
}

const blackjackHands = (game: string): Words => ({
  [`${game}/hands/Ac-Ad`]: "weiche 12",
  ...Object.fromEntries(range(2, 9).map((other) => [`${game}/hands/Ac-${other}c`, `weiche ${other + 11}`])),
  ...Object.fromEntries(range(2, 10).map((other) => [`${game}/hands/${other}c-10d-10h`, `überkauft, ${other + 20}`])),
});
const WARNS: Words = {
  "Ac-9c": "Das ist eine weiche 20.",
  "7c-10c": "Das ist eine harte 17.",
  "8c-10c": "Das ist eine harte 18.",
  "9c-10c": "Das ist eine harte 19.",
  "10c-10d": "Das ist eine harte 20.",
  "Ac-10d-10h": "Das ist eine harte 21.",
  ...Object.fromEntries(range(2, 10).map((other) => [`${other}c-10d-10h`, `Das ist eine harte ${other + 20}.`])),
};

const GROUPS: Words = {
  "nepal-super-baccarat/groups/player-pair": "Paare",
  "nepal-super-baccarat/groups/player-on-1": "Player gewinnt mit",
  "nepal-super-baccarat/groups/banker-on-1": "Banker gewinnt mit",
  "nepal-super-baccarat/groups/tie-on-0": "Tie mit",
  "la-paire/groups/card-A": "First Card: eine Karte",
  "la-paire/groups/split-A-2": "First Card: zwei Karten",
  "la-paire/groups/three-2-8-A": "First Card: drei Karten",
  "la-paire/groups/corner-2-3-8-9": "First Card: vier Karten",
  "la-paire/groups/paire-A": "La Pair'e Card",
};

const decks = (count: number): string => `${count} Kartenspiele`;
/** Was einen Tisch von den anderen seines Spiels unterscheidet. */
const LABELS: Record<string, Words> = {
  "PAIR Version 3": {
    ...Object.fromEntries([2, 6, 8].map((count) => [`pair-v3-${count}`, `${decks(count)}, Tafel A`])),
    "pair-v3-2-b": `${decks(2)}, Tafel B`,
    ...Object.fromEntries([6, 8].flatMap((count) => ["b", "c", "d"].map((letter) => [`pair-v3-${count}-${letter}`, `${decks(count)}, Tafel ${letter.toUpperCase()}`]))),
    "live-pair-v3": `live, ${decks(6)}, Tafel A`,
  },
  "Three Card Poker": {
    "three-card-poker": "Pairplus 40-30-6-3-1",
    "three-card-poker-progressive": "Pairplus 40-30-6-3-1, mit Jackpot",
    ...Object.fromEntries(
      ["40-30-6-4-1", "40-30-5-4-1"].flatMap((prices) => [
        [`three-card-poker-${prices}`, `Pairplus ${prices}`],
        [`three-card-poker-${prices}-progressive`, `Pairplus ${prices}, mit Jackpot`],
      ]),
    ),
    "live-three-card-poker": "live, Pairplus 40-30-6-3-1",
    "live-three-card-poker-progressive": "live, Pairplus 40-30-6-3-1, mit Jackpot",
  },
  "Nepal Super Baccarat": {
    "nepal-super-baccarat": decks(8),
    ...Object.fromEntries([5, 6, 7].map((count) => [`nepal-super-baccarat-${count}`, decks(count)])),
    "live-nepal-super-baccarat": `live, ${decks(8)}`,
  },
  "La Pair'e": {
    "la-paire": "alle Paarwetten",
    "la-paire-pairs": "nur La Pair'e-Wetten",
    "la-paire-any": "nur Any Pair'e",
    "live-la-paire": "live, alle Paarwetten",
  },
  Blackjack: { "live-blackjack": `live, ${decks(6)}` },
};
const TABLES = Object.entries(LABELS).flatMap(([game, labels]) =>
  Object.entries(labels).flatMap(([table, label]) => [
    [`tables/${table}`, `${game}, ${label}`],
    [`tables/${table}/label`, label],
  ]),
);

/** Jeder Text des Hauses auf Deutsch. */
export const house: Words = {
  ...joined(Object.entries(SAYS).map(([game, phrases]) => listed(`${game}/says`, phrases))),
  ...joined(Object.entries(ROWS).flatMap(([game, wagers]) => Object.entries(wagers).map(([wager, rows]) => listed(`${game}/rows/${wager}`, rows)))),
  ...pokerHands(),
  ...joined(BLACKJACKS.map(blackjackHands)),
  ...Object.fromEntries(Object.entries(WARNS).map(([cards, text]) => [`blackjack-poker-pairs/warns/hit/${cards}`, text])),
  ...GROUPS,
  "tables/blackjack-poker-pairs": "Blackjack Poker & Pairs",
  ...(Object.fromEntries(TABLES) as Words),
};

/** Wetten, deren Name auf Deutsch ein anderer ist, nach Spiel und Wette. */
const INSURANCE = { insurance: "Versicherung" };
const numbered = (side: string, german: string, from: number): Words => Object.fromEntries(range(from, 9).map((total) => [`${side}-on-${total}`, `${german} mit ${total}`]));
export const wagers: Record<string, Words> = {
  "blackjack-poker-pairs": INSURANCE,
  "pair-v3": INSURANCE,
  blackjack: INSURANCE,
  "three-card-poker": { "ante-bonus": "Ante-Bonus" },
  "nepal-super-baccarat": {
    "player-pair": "Player-Paar",
    "banker-pair": "Banker-Paar",
    ...numbered("player", "Player gewinnt", 1),
    ...numbered("banker", "Banker gewinnt", 1),
    ...numbered("tie", "Tie", 0),
  },
  "la-paire": { red: "First Card Rot", black: "First Card Schwarz", poker: "Poker mit der dritten Karte" },
};

/** Tafeln der besten Entscheidungen: Überschrift, und was in der Ecke steht. */
export const charts: Record<string, { title: string; corner: string }> = {
  hard: { title: "Harte Summen", corner: "Hand, gegen die offene Karte" },
  soft: { title: "Weiche Summen", corner: "Hand, gegen die offene Karte" },
  pairs: { title: "Paare", corner: "Hand, gegen die offene Karte" },
  "queen-high": { title: "Hände mit Dame hoch: was Spielen in Antes bringt (Passen kostet 1)", corner: "zweite Karte, nach der dritten" },
};
