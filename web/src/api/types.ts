/** The shapes the server speaks, made from its OpenAPI document (`npm run types`). Where it gives a free-form record,
 * the shape is told here. Money is integer minor units, times are ISO 8601, fractions are text ("3/2"). */

import type { components } from "./schema";

type Schemas = components["schemas"];

export type Stakes = Record<string, number>;
export type Problem = Schemas["Problem"];
export type Me = Schemas["Me"];
export type FreeBet = Schemas["FreeBetRecord"];
export type CalledOff = Schemas["NoticeRecord"];
export type Shift = Schemas["Shift"];
export type PitFloor = Schemas["PitFloor"];
export type PitTable = Schemas["PitTable"];
export type PitCard = Schemas["PitCard"];
export type PitPerson = Schemas["PitPerson"];
export type PitShoe = Schemas["PitShoe"];
export type PitShoes = Schemas["PitShoes"];
export type PitRound = Schemas["PitRound"];
export type GameOption = Schemas["OptionRecord"];
export type PitAct = Schemas["NewPitAct"];
export type PitDone = Schemas["PitDone"];
export type Care = Schemas["Care"];
export type HousePolicy = Schemas["HousePolicy"];
export type Session = Schemas["SignedIn"];
export type Limits = Schemas["LimitsRecord"];
export type Price = Schemas["WagerPrice"];
export type Prices = Record<string, Price>;
export type Meter = Schemas["MeterReading"];
/** One coup of baccarat, as its roads show it. */
export interface Coup {
  round: string;
  winner: Side;
  player_total: number;
  banker_total: number;
  player_pair: boolean;
  banker_pair: boolean;
  player_cards: number;
  banker_cards: number;
}
export type Seat = Omit<Schemas["Seat"], "coups" | "round"> & { coups: Coup[]; round: RoundView | null };
export type BetView = Schemas["BetRecord"];
export type HandView = Schemas["KeyedHand"];
export type Awaiting = Schemas["KeyedAwaiting"];
export type TableEvent = Omit<Schemas["Event"], "event"> & { event: EventKind };
export type View = Omit<Schemas["KeyedView"], "events"> & { events: TableEvent[] };
export type RoundView = Omit<Schemas["RoundView"], "view" | "state"> & { view: View; state: RoundState };
export type RoundSummary = Schemas["RoundSummary"];
export type RoundPage = Schemas["History"];
export type Statistics = Schemas["Statistics"];
export type GameStatistics = Schemas["GameStatistics"];
export type Review = Schemas["Review"];
export type Drill = Schemas["DrillRecord"];
/** After so many rounds: net, expectation, deviation. */
export type LuckPoint = readonly [rounds: number, net: number, expected: number, deviation: number];
export type Advice = Schemas["AdviceRecord"];
export type ChartCell = Schemas["ChartCell"];
export type StrategyChart = Schemas["StrategyChart"];
export type Charts = Schemas["Charts"];
export type Rulebook = Schemas["RuleBook"];
export type SeedRecord = Schemas["SeedRecord"];
export type Revealed = Schemas["Rotation"];

export type Side = "player" | "banker" | "tie";
export type RoundState = "open" | "settled" | "void";
export type EventKind =
  | "dealt"
  | "turned-up"
  | "peeked"
  | "split"
  | "said"
  | "offered"
  | "chosen"
  | "settled"
  | "void";

/** A row of a paytable: its name with the key of it, its price to 1, or its share of the meter. */
export interface Row {
  name: string;
  key: string;
  pays?: string;
  share?: string;
}

export interface Wager {
  id: string;
  name: string;
  group: string;
  group_key?: string;
  rules: string;
  opens?: boolean;
  stake_step?: number;
  stake_fixed?: number;
  follows?: string;
  stake?: string;
  rows: Row[];
  otherwise: string;
  otherwise_key: string;
}

/** A choice: its key, the wager it stakes more on, and which cards of the hand it keeps, counted from 0. */
export interface Action {
  name: string;
  key: string;
  wager?: string;
  keeps?: number[];
}

export interface GameRecord {
  id: string;
  name: string;
  summary: string;
  rules_hash: string;
  seats_max: number;
  seats_per_player: number;
  decks: number;
  jokers_per_deck: number;
  places: string[];
  choices: string[];
  actions: Action[];
  options: GameOption[];
  wagers: Wager[];
}

export type Table = Omit<Schemas["TableRecord"], "game" | "prices"> & { game: GameRecord; prices: Prices | null };

// Live tables.

export type LiveLine = Schemas["LiveTableLine"];
export type LiveSeat = Schemas["LiveSeat"];
export type LiveDone = Schemas["LiveDone"];
export type Seated = Schemas["SeatedPerson"];
export type LiveView = Omit<Schemas["LiveView"], "events" | "phase"> & { events?: TableEvent[]; phase: LivePhase };
export type LivePhase = "betting" | "seeds" | "playing" | "closed";
/** An entry of a table's log. What a kind has beyond these is read where it is needed. */
export interface LiveEntry {
  entry: string;
  at: number;
  seat?: number;
  name?: string;
  word?: string;
  automatic?: boolean;
  card?: number;
  reason?: string;
  cards?: number | null;
}
export type LiveNews = Omit<Schemas["LiveNews"], "entries" | "view"> & { entries: LiveEntry[]; view: LiveView | null };
