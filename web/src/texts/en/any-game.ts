/** Words of the felt that takes any game. */

import { plural } from "../plural";

const either = new Intl.ListFormat("en-GB", { type: "disjunction" });

export const anyGame = {
  main: "Main bets",
  side: "Side bets",
  hand: "Your cards",
  seats: "Seats",
  layout: "Bets",
  /** What a choice lays on a bet: so many times another. */
  added: (times: number, base: string) => (times === 1 ? `as much as ${base}` : `${times} × ${base}`),
  hold: (card: string) => `Hold ${card}`,
  held: "Held",
  holdWhich: "Hold any cards",
  holdHow: "tap those you keep, then draw",
  draw: (drawn: number) => (drawn === 0 ? "Keep all" : plural("en", drawn, { one: "Draw # card", other: "Draw # cards" })),
  tour: {
    chips: "Pick a chip here. Each tap on the felt lays one down.",
    opener: (name: string) => `A game begins with a bet on ${name}.`,
    openers: (name: string) => `Bet on ${name}, or on any of the bets beside it.`,
    side: (name: string, price: string) => `${name} is a bet of its own${price === "" ? "" : `: it pays ${price}`}. Hold or hover to read more.`,
    choices: (words: string[]) => `When a choice is yours, this line asks: ${either.format(words)}. What it costs is on the button.`,
    keep: "After the deal, tap the cards you want to keep; the others are replaced.",
    deal: "Deal when your bets lie. Enjoy the game.",
  },
};
