/** The trainer: decisions to practise, and counting. */

import { plural } from "../plural";

export const trainer = {
  trainer: {
    title: "Trainer",
    pitch: "Practise the decisions where mistakes cost most.",
    choose: "What do you want to practise?",
    decisions: "Decisions",
    counting: "Counting",
    preparing: "The hands are being worked out. This takes a few seconds, once.",
    right: "Best.",
    wrong: (cost: string) => `That costs ${cost} of a bet.`,
    next: "Next hand",
    streak: (count: number) => `Streak ${count}`,
    bestStreak: (count: number) => `best ${count}`,
    score: (right: number, all: number) => `${right} of ${all} best`,
    review: (cents: string) => `Played like this, your mistakes cost ${cents} cents per 100 hands at 1.00 a hand.`,
    perfect: "No mistakes yet in what you have practised.",
    weakest: "Where it goes wrong",
    often: (share: string) => `${share} of hands`,
    again: "Start over",
    how: "Hands come up by how often they are dealt, times what the smallest mistake costs. What you know comes up less.",
    values: "Value of each choice, in bets",
    count: {
      says: "Cards 2 to 6 count +1, 7 to 9 count 0, tens and aces count −1. Watch, then give the sum.",
      noGain: "At this table counting wins next to nothing; it trains the eye.",
      start: "Deal",
      speed: "Speed",
      speeds: { slow: "Slow", normal: "Normal", fast: "Fast" } as Record<string, string>,
      ask: "What is the count?",
      less: "One less",
      more: "One more",
      answer: "Check",
      right: (count: string) => `Right: ${count}.`,
      wrong: (count: string) => `It was ${count}.`,
      card: (now: number, all: number) => `Card ${now} of ${all}`,
      cards: (count: number) => plural("en", count, { one: "# card", other: "# cards" }),
    },
  },
};
