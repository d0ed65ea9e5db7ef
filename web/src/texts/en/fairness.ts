/** Checking a game, and the seeds it was shuffled with. */

import { plural } from "../plural";

export const fairness = {
  verify: {
    title: "Proof",
    press: "Verify this game",
    verified: "Every check holds.",
    partly: "Seeds, shuffle and cards hold.",
    failed: "A check failed.",
    sealed: "The server's seed is still sealed. Take a new seed at this table and the old one is shown; then everything can be checked.",
    sealedForOthers: "The server's seed is still sealed. When the player of this game takes a new one, it is shown here and everything can be checked.",
    reveal: "Reveal the seed and verify",
    commitment: "Commitment",
    serverSeed: "Server seed",
    clientSeed: "Your seed",
    nonce: "Number of the shuffle",
    hidden: "sealed until you take a new one",
    hiddenForOthers: "still sealed",
    missing: "The verifier is not in this build; use “pairhouse verify” on the saved round.",
    save: "Save the round",
    /** A check by its key: its name, and what holds. As the verifier says it where there is nothing here. */
    checks: {} as Record<string, [name: string, holds: string]>,
    own: "Checked here, in your browser, by code that shares nothing with the server.",
  },
  fair: {
    title: "Fairness",
    says: "Before you bet the house commits to its secret seed by this hash. Your own seed goes into every shuffle, so neither side alone decides a card.",
    yours: "Your seed for the next game",
    fresh: "A fresh random seed every game",
    rotate: "New server seed, reveal the old",
    revealed: "Revealed",
    seeds: "Seeds at this table",
    rounds: (count: number) => plural("en", count, { one: "# shuffle", other: "# shuffles" }),
  },
};
