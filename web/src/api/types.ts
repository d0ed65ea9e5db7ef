/** The shapes the server speaks. Money is integer minor units, times are ISO 8601, fractions are text ("3/2"). */

export type Stakes = Record<string, number>;

export interface Problem {
  code: string;
  error: string;
  round?: string;
}

export interface OpenRound {
  id: string;
  table: string;
  game: string;
  opened_at: string;
  staked: number;
}

export interface Me {
  id: string;
  name: string;
  guest: boolean;
  currency: string;
  balance: number;
  held: number;
  open_rounds: OpenRound[];
  session: { started_at: string; staked: number; returned: number; rounds: number };
}

export interface Session {
  token: string;
  player: Me;
  expires_at: string;
}

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

export interface GameOption {
  name: string;
  value: unknown;
  default: unknown;
  accepted: unknown;
  says: string;
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
  options: GameOption[];
  wagers: Wager[];
}

export interface Price {
  ev: string | null;
  edge: string;
  edge_exact: string | null;
  hit: string | null;
  hit_decimal: string | null;
  method: string;
  error: string | null;
  strategy: string | null;
}

export type Prices = Record<string, Price>;

export interface Limits {
  minimum: number;
  maximum: number;
  unit: number;
  chips: number[];
  round_maximum?: number | null;
  payout_maximum?: number | null;
}

export interface Table {
  id: string;
  name: string;
  game: GameRecord;
  limits: Limits;
  advice: boolean;
  open: boolean;
  prices: Prices | null;
}

export interface Meter {
  amount: number;
  reserve: number;
}

export type Side = "player" | "banker" | "tie";

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

export interface ShoeState {
  number: number;
  dealt: number;
  last_round: boolean;
  finished: boolean;
}

export interface Shoe extends ShoeState {
  cards: number;
  cut_card: number;
  coups: Coup[];
}

export interface Seat {
  table: string;
  balance: number;
  commitment: string;
  nonce: number;
  last_client_seed: string | null;
  meter: Meter | null;
  shoe: Shoe | null;
  round: RoundView | null;
}

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

export interface TableEvent {
  event: EventKind;
  at?: string | null;
  seat?: number | null;
  hand?: number | null;
  card?: string | null;
  face?: string | null;
  text?: string | null;
  options?: string[] | null;
  choice?: string | null;
  wager?: string | null;
  stake?: number | null;
  returned?: number | null;
  row?: string | null;
}

export interface HandView {
  cards: (string | null)[];
  at?: string | null;
  seat?: number | null;
  hand?: number | null;
  name?: string;
}

export interface BetView {
  stake: number;
  returned: number | null;
  row: string | null;
}

export interface Awaiting {
  seat: number;
  hand: number;
  options: string[];
  costs?: Record<string, number>;
  warnings?: Record<string, string>;
}

export interface View {
  game: string;
  seat: number | null;
  hands: HandView[];
  events: TableEvent[];
  wagers: Record<string, BetView>[];
  awaiting: Awaiting | null;
}

export interface Proof {
  scheme: string;
  game: string;
  rules_hash: string;
  commitment: string;
  server_seed: string | null;
  client_seeds: string[];
  nonce: number;
  first_card: number;
  cards_used: number;
}

export interface RoundLog {
  game: string;
  cards: string[];
  seats: Stakes[];
  options?: Record<string, unknown>;
  choices?: string[];
  rules?: string | null;
  meter?: Meter | null;
  void?: string | null;
}

export interface RoundView {
  id: string;
  game: string;
  table: string;
  state: "open" | "settled" | "void";
  opened_at: string;
  closed_at: string | null;
  choices: string[];
  staked: number;
  returned: number | null;
  net: number | null;
  balance: number;
  view: View;
  meter?: Meter | null;
  shoe?: ShoeState | null;
  proof: Proof;
  log: RoundLog | null;
  replay?: boolean;
}

export interface RoundSummary {
  id: string;
  game: string;
  table: string;
  state: string;
  opened_at: string;
  closed_at: string | null;
  staked: number;
  returned: number | null;
  net: number | null;
  wagers: unknown;
}

export interface RoundPage {
  rounds: RoundSummary[];
  next: string | null;
}

export interface Advice {
  options: Record<string, { value: string; error: string | null }>;
  best: string;
  class: string;
}

export interface Rulebook {
  game: string;
  markdown: string;
  html: string | null;
  rules: { number: string; text: string }[];
}

export interface SeedRecord {
  table: string;
  commitment: string;
  server_seed: string | null;
  nonces: number;
  opened_at: string;
  revealed_at: string | null;
}

export interface Revealed {
  revealed: { commitment: string; server_seed: string; rounds: number };
  commitment: string;
}
