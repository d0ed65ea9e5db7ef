/** The shapes the server speaks, made from its OpenAPI document (`npm run types`). Where it gives a free-form record,
 * the shape is told here. Money is integer minor units, times are ISO 8601, fractions are text ("3/2"). */

import type { components } from "./schema";

type Schemas = components["schemas"];

export type Stakes = Record<string, number>;
export type Problem = Schemas["Problem"];
export type Me = Schemas["Me"];
export type Session = Schemas["SignedIn"];
export type Limits = Schemas["LimitsRecord"];
export type Price = Schemas["WagerPrice"];
export type Prices = Record<string, Price>;
export type Meter = Schemas["MeterReading"];
/** One coup of a baccarat shoe, as its roads show it. */
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
export type Shoe = Omit<Schemas["ShoeRecord"], "coups"> & { coups: Coup[] };
export type Seat = Omit<Schemas["Seat"], "shoe" | "round"> & { shoe: Shoe | null; round: RoundView | null };
export type BetView = Schemas["BetRecord"];
export type HandView = Schemas["Hand"];
export type Awaiting = Schemas["AwaitingRecord"];
export type TableEvent = Omit<Schemas["Event"], "event"> & { event: EventKind };
export type View = Omit<Schemas["View"], "events"> & { events: TableEvent[] };
export type RoundView = Omit<Schemas["RoundView"], "view" | "state"> & { view: View; state: RoundState };
export type RoundSummary = Schemas["RoundSummary"];
export type RoundPage = Schemas["History"];
export type Advice = Schemas["Advice"];
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

/** A row of a paytable: its price to 1, or its share of the meter. */
export interface Row {
  name: string;
  pays?: string;
  share?: string;
}

export interface Wager {
  id: string;
  name: string;
  group: string;
  rules: string;
  opens?: boolean;
  stake_step?: number;
  stake_fixed?: number;
  follows?: string;
  stake?: string;
  rows: Row[];
  otherwise: string;
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
  choices: string[];
  options: { name: string; value: unknown; says: string }[];
  wagers: Wager[];
}

export type Table = Omit<Schemas["Table"], "game" | "prices"> & { game: GameRecord; prices: Prices | null };
