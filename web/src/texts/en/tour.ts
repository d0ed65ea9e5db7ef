/** How each game is played, in the order a beginner needs it: what to look at, what to know, cards as an example. */

export interface Step {
  /** What of the table the step is about, by its place on the page. */
  at: string;
  text: string;
  cards?: string[];
}

const CHIPS: Step = { at: ".rack", text: "Pick a chip here. Each tap on the felt lays one down." };
const LINE: Step = { at: "[data-prompt]", text: "This line always says what is asked. Enjoy the game." };

export const tours: Record<string, Step[]> = {
  "blackjack-poker-pairs": [
    CHIPS,
    { at: '.spot[data-wager="main"]', text: "Your blackjack bet. Get closer to 21 than the dealer without going over.", cards: ["9c", "8d"] },
    { at: '.spot[data-wager="main"]', text: "An ace with a ten or a court card is a blackjack: it pays 3 to 2 at once.", cards: ["As", "Kh"] },
    { at: '.spot[data-wager="pairs"]', text: "Pairs wins when your first two cards match, up to 30 to 1.", cards: ["9h", "9h"] },
    { at: '.spot[data-wager="poker"]', text: "Poker adds the dealer's first card to your two: a flush or better wins.", cards: ["7d", "8d", "9d"] },
    LINE,
  ],
  "pair-v3": [
    CHIPS,
    { at: '.spot[data-wager="main"]', text: "Your blackjack bet. Get closer to 21 than the dealer without going over.", cards: ["9c", "8d"] },
    { at: '.spot[data-wager="main"]', text: "An ace with a ten or a court card is a blackjack and pays more.", cards: ["As", "Kh"] },
    { at: '.spot[data-wager="pair"]', text: "PAIR looks at your two cards and the dealer's first: any pair among them wins.", cards: ["Qh", "5s", "Qd"] },
    LINE,
  ],
  "three-card-poker": [
    CHIPS,
    { at: '.spot[data-wager="ante"]', text: "Ante plays your three cards against the dealer's three.", cards: ["Kh", "9s", "4d"] },
    { at: '.spot[data-wager="play"]', text: "After a look at your cards you play, for as much again, or fold and lose the Ante." },
    { at: ".motto", text: "Without a queen or better the dealer does not play: Ante wins, Play comes back." },
    { at: '.spot[data-wager="pairplus"]', text: "Pairplus pays on your own hand alone, from a pair upwards. A fold loses it too.", cards: ["6c", "6s", "Jd"] },
    LINE,
  ],
  "nepal-super-baccarat": [
    CHIPS,
    { at: '.spot[data-wager="player"]', text: "Bet on the hand that ends nearer to nine. Tens and court cards count nothing.", cards: ["4h", "5c"] },
    { at: '.spot[data-wager="banker"]', text: "Banker pays even money without commission, but only half when it wins on six.", cards: ["Kd", "6s"] },
    { at: '.spot[data-wager="tie"]', text: "A tie pays 8 to 1; Player and Banker bets then come back." },
    { at: ".cells", text: "Or name the total the winner ends on. Thin chances, long odds." },
    { at: ".roads", text: "The roads record how the coups have run. They tell nothing about the next hand." },
    LINE,
  ],
  "la-paire": [
    CHIPS,
    { at: '.spot[data-wager="card-5"]', text: "First Card: name the value of the first card for 12 to 1. Every game needs such a bet.", cards: ["5s"] },
    { at: '.spot[data-wager="corner-4-5-10-J"]', text: "A chip on a line or a corner covers all the values it touches." },
    { at: '.spot[data-wager="red"]', text: "Red and Black are on the first card's colour. A Joker is neither." },
    { at: '.spot[data-wager="any-paire"]', text: "When the second card has the value of the first, the pair bets win.", cards: ["7h", "7c"] },
    { at: '.spot[data-wager="poker"]', text: "All three cards make a poker hand: a flush or better wins.", cards: ["7h", "8h", "9h"] },
    LINE,
  ],
};
