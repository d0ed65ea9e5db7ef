// The checks of a closed round: commitment, names, place, cards, settlement.

import { blackjack } from "./blackjack.js";
import { coup, laPaire, nepalSuperBaccarat, threeCardPoker } from "./games.js";
import { fromHex, sha256, toHex } from "./hash.js";
import { compareSeeds } from "./seeds.js";
import { shuffled } from "./shuffle.js";
import { CannotCheck, Different, Stopped, Table, sum } from "./table.js";

const BLACKJACK = {
  decks: 6, soft_17: "stand", double: "any", double_after_split: true, max_hands: 4, resplit_aces: false,
  hit_split_aces: false, surrender: "none", blackjack_pays: "3:2", hole_card: "peek", charlie: 0, insurance: "offer",
};

const GAMES = {
  "three-card-poker": { play: threeCardPoker, defaults: { decks: 1, pairplus: "40-30-6-3-1" } },
  "nepal-super-baccarat": { play: nepalSuperBaccarat, defaults: { decks: 8, cut_card: 14 } },
  "la-paire": { play: laPaire, defaults: { decks: 1 }, jokers: 2 },
  blackjack: { play: blackjack, defaults: BLACKJACK },
  "pair-v3": { play: blackjack, defaults: { ...BLACKJACK, paytable: "shoe-a" } },
  "blackjack-poker-pairs": { play: blackjack, defaults: { ...BLACKJACK, decks: 8, charlie: 8 } },
};

// The options of a round, those left out at their defaults. [PV3-2]
function optionsOf(log) {
  const given = log.options ?? {};
  const options = { rounding: "exact", ...GAMES[log.game].defaults, ...given };
  if (log.game === "pair-v3" && !("decks" in given) && "paytable" in given) {
    options.decks = options.paytable.startsWith("2-deck") ? 2 : 6;
  } else if (log.game === "pair-v3" && options.decks === 2 && !("paytable" in given)) {
    options.paytable = "2-deck-a";
  }
  return options;
}

// Whether a coup of this shoe begins after so many cards: coup by coup from the first one. [NSB-4] [NSB-5]
function coupBegins(order, first, log, options) {
  let [dealt, last, ended] = [0, false, false];
  while (dealt < first && !ended) {
    const table = new Table(options, order.slice(dealt, dealt + 6), log);
    coup(table);
    dealt += table.dealt;
    [ended, last] = [last, order.length - dealt <= options.cut_card];
  }
  return dealt === first && !ended;
}

// At a live table: how the cards gone before this coup differ from what the coups before it were dealt. Each coup
// shuffles what the coups before it have left, with seeds of its own. [NSB-4] [NSB-5]
function compareShoe(shoe, proof, log, options) {
  if (log.game !== "nepal-super-baccarat") {
    return "every round of this game is shuffled anew, yet cards are said to be gone";
  }
  if (shoe.coup !== shoe.before.length + 1) {
    return `it is coup ${shoe.coup} of its shoe, and ${shoe.before.length} coups are said to be before it`;
  }
  let [last, ended] = [false, false];
  const gone = [];
  for (const [at, { commitment, server_seed, client_seeds }] of shoe.before.entries()) {
    if (ended) return `the shoe ended before coup ${at + 1}`;
    if (toHex(sha256(fromHex(server_seed))) !== commitment) {
      return `the seed of coup ${at + 1} is not the one the house committed to`;
    }
    const earlier = { ...proof, server_seed, client_seeds, nonce: 0 };
    const table = new Table(options, shuffled(earlier, options.decks, 0, 6, gone), log);
    coup(table);
    gone.push(...table.cards.slice(0, table.dealt));
    [ended, last] = [last, 52 * options.decks - gone.length <= options.cut_card];
  }
  if (ended) return `the shoe ended before coup ${shoe.coup}`;
  const same = gone.length === shoe.gone.length && gone.every((card, at) => card === shoe.gone[at]);
  return same ? "" : "the cards that are gone are not those the coups before have dealt";
}

// What every wager of the round comes to: a list of seats, wager -> [stake, returned].
function settled(log, options, cards) {
  const table = new Table(options, cards, log);
  const isVoid = Boolean(log.void);
  let keepsDecided = false; // what was decided before the round was void
  try {
    GAMES[log.game].play(table);
    if (table.chosen < table.choices.length) throw new Different("there are more choices than the round asked for");
    if (!isVoid && table.dealt !== cards.length) {
      throw new Different(`the round needs ${table.dealt} cards, not ${cards.length}`);
    }
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    if (!isVoid) throw new Different(error.message);
    keepsDecided = log.game !== "blackjack-poker-pairs" && !options.progressive; // [PV3-18] [BJ-31] [TCP-40]
  }
  return table.staked.map((staked, seat) => {
    const kept = (wager, stake) => table.paid[seat].get(wager) + stake - (table.decided[seat].get(wager) ?? 0);
    const voided = (wager, stake) => (keepsDecided ? kept(wager, stake) : stake);
    const back = (wager, stake) => (isVoid ? voided(wager, stake) : table.paid[seat].get(wager));
    const made = [...staked].filter(([, stake]) => stake || !isVoid);
    return Object.fromEntries(made.map(([wager, stake]) => [wager, [stake, back(wager, stake)]]));
  });
}

// The first difference between our settlement and the one on record, or an empty text.
function compareWagers(ours, record) {
  const seats = record.view.wagers;
  if (ours.length !== seats.length) return `${ours.length} seats were played, ${seats.length} were settled`;
  for (const [at, mine] of ours.entries()) {
    for (const wager of new Set([...Object.keys(mine), ...Object.keys(seats[at])])) {
      const [was, should] = [seats[at][wager], mine[wager]];
      const where = `seat ${at + 1}, ${wager}`;
      if (!was) return `${where} was not settled`;
      if (!should) return `${where} was settled without a stake`;
      for (const [i, part] of ["stake", "returned"].entries()) {
        if (was[part] !== should[i]) return `${where}: ${part} was ${was[part]}, and should be ${should[i]}`;
      }
    }
  }
  for (const [i, part] of ["staked", "returned"].entries()) {
    const should = sum(ours.flatMap((seat) => Object.values(seat).map((amounts) => amounts[i])));
    if ((record[part] ?? should) !== should) return `${part} in all was ${record[part]}, and should be ${should}`;
  }
  return "";
}

function compareCards(ours, logged) {
  if (ours.length !== logged.length) return `${ours.length} cards were used, the log holds ${logged.length}`;
  const at = ours.findIndex((card, i) => card !== logged[i].replace("T", "10"));
  return at < 0 ? "" : `card ${at + 1} is ${logged[at]}, but the seeds deal ${ours[at]}`;
}

const isKnown = (log) => Object.hasOwn(GAMES, log.game);

// The order of the cards. A game this page has no rules of names its decks in its options; the Jokers in each are those
// with which the seeds deal what the log says, else none.
function orderOf({ proof, log }, options, gone) {
  const { first_card: first, cards_used: used } = proof;
  const places = first ? Infinity : used;
  if (isKnown(log)) return shuffled(proof, options.decks, GAMES[log.game].jokers ?? 0, places, gone);
  const orders = [0, 1, 2].map((jokers) => shuffled(proof, options.decks, jokers, places));
  return orders.find((order) => compareCards(order, log.cards) === "") ?? orders[0];
}

// Refuse what cannot be checked, and say why.
function checkable(record) {
  const { proof, log, state } = record;
  if (proof.scheme !== "pairhouse/1") throw new CannotCheck(`this checks scheme pairhouse/1, not ${proof.scheme}`);
  if (!log || !["settled", "void"].includes(state)) {
    throw new CannotCheck("the round is not closed yet; verify it once it is settled");
  }
  if (proof.server_seed === null) {
    const advice = "rotate the seed at the table, then fetch the round again";
    throw new CannotCheck(`the server seed is not revealed yet; ${advice}`);
  }
  if (!isKnown(log) && (proof.first_card !== 0 || !Number.isSafeInteger(log.options?.decks))) {
    throw new CannotCheck(`${log.game} is not a game this page knows, and the round does not say which pack it began with`);
  }
  const numbers = [proof.nonce, proof.first_card, proof.cards_used, ...log.seats.flatMap(Object.values)];
  if (!numbers.every((number) => Number.isSafeInteger(number) && number >= 0)) {
    throw new CannotCheck("a number of the round is no whole number, or is too large for this page");
  }
}

// Each check as [name, what holds, how it differs]; what was dealt and paid by our reckoning goes to `found`.
function* findings(record, found) {
  const { proof, log } = record;
  const { first_card: first, cards_used: used } = proof;
  const options = isKnown(log) ? optionsOf(log) : log.options;
  const hash = toHex(sha256(fromHex(proof.server_seed)));
  const kept = hash === proof.commitment ? "" : `the server seed hashes to ${hash}`;
  yield ["commitment", "the revealed server seed hashes to the commitment shown before the bet", kept];

  const names = proof.game === log.game && (log.rules ?? proof.rules_hash) === proof.rules_hash;
  const same = names && (record.state === "void") === Boolean(log.void);
  const other = same ? "" : "proof, log and state do not speak of the same game, rules and ending";
  yield ["names", "proof, log and state speak of one game, one set of rules and one ending", other];

  if (record.mixed) {
    const leftOut = record.mixed.withheld.join(", ") || "nobody";
    const says = `the seeds that were opened, and no others, were mixed in; withheld by: ${leftOut}`;
    yield ["seeds", says, compareSeeds(record.mixed, proof.client_seeds)];
  }

  let gone = [];
  if (record.mixed && record.shoe) {
    const other = compareShoe(record.shoe, proof, log, options);
    yield ["shoe", "the coups before deal the cards that were gone, each from its own seeds", other];
    if (other) return;
    gone = record.shoe.gone;
  }

  const order = orderOf(record, options, gone);
  const inShoe = !gone.length && log.game === "nepal-super-baccarat" && first <= order.length - used;
  const begins = first === 0 || (inShoe && coupBegins(order, first, log, options));
  const place = begins ? "" : `no round can begin after ${first} cards`;
  yield ["place", "the round begins where its shuffle, or the coup before it, says", place];

  found.cards = order.slice(first, first + used);
  const dealt = compareCards(found.cards, log.cards);
  yield ["cards", "the seeds deal exactly the cards of the log, in that order", dealt];

  if (!isKnown(log)) {
    found.unchecked = `The rules of ${log.game} are not on this page: \`pairhouse verify\` checks what was paid.`;
    return;
  }
  let differs;
  try {
    found.wagers = settled(log, options, found.cards);
    differs = compareWagers(found.wagers, record);
  } catch (error) {
    if (!(error instanceof Different)) throw error;
    differs = error.message;
  }
  yield ["settlement", "settled by the rule book, every wager comes to what was paid", differs];
}

// A closed round, as text or as an object -> { same, error, findings: [{ check, holds, says }], cards, wagers,
// unchecked }. `unchecked` is null, or says what this page could not check of a game it has no rules of.
// `error` is null, or says why the round cannot be checked at all. `cards` and `wagers` (a list of seats, wager ->
// [stake, returned]) are what the seeds and the rules come to, whatever the record says.
export function verify(given) {
  const found = { cards: [], wagers: [], unchecked: null };
  try {
    const record = typeof given === "string" ? JSON.parse(given) : given;
    checkable(record);
    const list = [...findings(record, found)];
    const told = list.map(([check, says, differs]) => ({ check, holds: !differs, says: differs || says }));
    return { same: told.every((finding) => finding.holds), error: null, findings: told, ...found };
  } catch (error) {
    const known = error instanceof CannotCheck || error instanceof SyntaxError;
    const says = known ? error.message : `this is not a closed round of Pairhouse (${error.message})`;
    return { same: false, error: says, findings: [], cards: [], wagers: [], unchecked: null };
  }
}
