/** Which of the four arrangements fits the window: a phone upright, a phone on its side, a tablet, a desk. */

export type Screen = "phone" | "landscape" | "tablet" | "desk";

const QUERIES: readonly [Screen, string][] = [
  ["landscape", "(height < 520px) and (orientation: landscape)"],
  ["phone", "(width < 700px)"],
  ["tablet", "(width < 1240px)"],
];

const lists = QUERIES.map(([screen, query]) => [screen, globalThis.matchMedia?.(query)] as const);
const find = (): Screen => lists.find(([, list]) => list?.matches)?.[0] ?? "desk";
let now: Screen = $state(find());
for (const [, list] of lists) list?.addEventListener("change", () => (now = find()));

export const screenNow = (): Screen => now;
/** A phone, however it is held: one thing at a time, and large. */
export const isHandheld = (): boolean => now === "phone" || now === "landscape";
