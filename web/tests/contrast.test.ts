/** Words on felts: axe cannot see through gradients, so their contrast is worked out from the colours themselves. */

import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

const read = (path: string): string => readFileSync(new URL(`../src/${path}`, import.meta.url), "utf-8");
type Colour = readonly [red: number, green: number, blue: number];

const hex = (text: string): Colour => [1, 3, 5].map((at) => Number.parseInt(text.slice(at, at + 2), 16)) as unknown as Colour;
const over = (top: Colour, share: number, below: Colour): Colour =>
  top.map((value, index) => value * share + (below[index] ?? 0) * (1 - share)) as unknown as Colour;
const luminance = (colour: Colour): number => {
  const [red, green, blue] = colour.map((value) => (value <= 10.31475 ? value / 3294.6 : ((value / 255 + 0.055) / 1.055) ** 2.4)) as unknown as Colour;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};
const contrast = (one: Colour, other: Colour): number => {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
};

/** The lightest place of every felt there is: its light, under the lamp. */
const LAMP: Colour = [255, 234, 180];
const felts = [...(read("tables/Felt.svelte") + read("felt.css")).matchAll(/--(?:felt|own)-light: (#[0-9a-f]{6})/g)].map(([, light = ""]) => light);
const lit = (felt: string): Colour => over(LAMP, 0.12, hex(felt));

describe("words on a felt", () => {
  it("are on felts that were found", () => {
    expect(new Set(felts).size).toBeGreaterThanOrEqual(7);
    expect(read("tables/Felt.svelte")).toContain("rgb(255 234 180 / 12%)");
  });

  // Words of the felts: names of bets, prices, mottos, the prompt, the detail under it.
  it.each(["#f8efdc", "#f6e3ad", "#fff6de", "#f0e3c4", "#f3e4c4", "#e9dcff", "#d7f2ee"])("%s is read on the lightest place of each", (ink) => {
    const weak = felts.map((felt) => [felt, Number(contrast(hex(ink), lit(felt)).toFixed(2))] as const).filter(([, ratio]) => ratio < 4.5);
    expect(weak).toEqual([]);
  });
});
