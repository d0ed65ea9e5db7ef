/** What a player likes: kept in this browser, and without any power over a card or a price. */

import { inForce } from "../care/policy.svelte";
import type { Speed } from "./timeline";

const STORE = "pairhouse.options";

export const CARD_BACKS = ["red", "blue", "green"] as const;
export type CardBack = (typeof CARD_BACKS)[number];
export const FELT_COLOURS = ["house", "green", "blue", "red", "night"] as const;
export type FeltColour = (typeof FELT_COLOURS)[number];

export interface Likes {
  speed: Speed;
  sound: boolean;
  /** From 0 to 100. */
  volume: number;
  /** The rail and the main button lie at the left. */
  leftHand: boolean;
  /** Larger words on sheets and pages. */
  largeText: boolean;
  /** The language; "" for the browser's own. */
  language: string;
  back: CardBack;
  felt: FeltColour;
  insurance: "normal" | "never";
  safety: boolean;
  fourColours: boolean;
  reducedMotion: boolean;
  coach: boolean;
  /** Show how a game is played at the first visit. */
  tour: boolean;
  ownSeed: string;
}

const DEFAULTS: Likes = {
  speed: "normal",
  sound: true,
  volume: 70,
  leftHand: false,
  largeText: false,
  language: "",
  back: "red",
  felt: "house",
  insurance: "normal",
  safety: true,
  fourColours: false,
  reducedMotion: false,
  coach: false,
  tour: true,
  ownSeed: "",
};

function stored(): Partial<Likes> {
  try {
    const kept = JSON.parse(localStorage.getItem(STORE) ?? "{}") as Record<string, unknown>;
    const likes: Record<string, unknown> = { ...DEFAULTS };
    return Object.fromEntries(Object.entries(kept).filter(([name, value]) => typeof value === typeof likes[name]));
  } catch {
    return {}; // a damaged or forbidden store is no reason not to play
  }
}

export const options: Likes = $state({ ...DEFAULTS, ...stored() });

export function keepOptions(): void {
  try {
    localStorage.setItem(STORE, JSON.stringify(options));
  } catch {
    // Private windows may forbid it; the options then last as long as the page.
  }
}

const system = globalThis.matchMedia?.("(prefers-reduced-motion: reduce)");

/** Whether slides, flips and the marker are skipped: in TURBO, and wherever motion is not wanted. */
export const isQuick = (): boolean => (options.speed === "turbo" && inForce.mayHurry) || isStill();

/** How long the pauses between events are: short ones only where the policy lets a player hurry. */
export const pace = (): Speed => (isQuick() && inForce.mayHurry ? "turbo" : "normal");

/** Whether things should appear where they belong instead of moving there. */
export const isStill = (): boolean => options.reducedMotion || system?.matches === true;
