/** Amounts and fractions as people read them. */

import type { Wager } from "../api/types";
import { t } from "../texts";

const whole = new Intl.NumberFormat(t.locale, { maximumFractionDigits: 0 });
const cents = new Intl.NumberFormat(t.locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const tenths = new Intl.NumberFormat(t.locale, { maximumFractionDigits: 1 });

/** An amount of minor units: "1,250" or "12.50". */
export const amount = (minor: number): string => (minor % 100 === 0 ? whole : cents).format(minor / 100);

/** Always with its two decimals, so that a running figure keeps its width. */
export const exactAmount = (minor: number): string => cents.format(minor / 100);

export const signed = (minor: number): string => `${minor > 0 ? "+" : minor < 0 ? "−" : ""}${exactAmount(Math.abs(minor))}`;

/** A chip's face: 1, 5, 25, 100, 500, 1k. */
export function chipFace(minor: number): string {
  const units = minor / 100;
  if (units >= 1_000_000) return `${units / 1_000_000}m`;
  return units >= 1000 ? `${units / 1000}k` : String(units);
}

/** A short stake under a stack of chips. */
export function stackFace(minor: number): string {
  const units = minor / 100;
  if (units >= 10_000) return `${tenths.format(units / 1000)}k`;
  return Number.isInteger(units) ? String(units) : cents.format(units);
}

/** A share of one, given as decimal text, in per cent. */
export function percent(decimal: string, digits = 2): string {
  return new Intl.NumberFormat(t.locale, { style: "percent", minimumFractionDigits: digits, maximumFractionDigits: digits }).format(
    Number((Number(decimal) * 100).toFixed(digits)) / 100,
  );
}

/** "3/2" as "3 to 2"; "12" as "12 to 1". */
export function odds(pays: string): string {
  const [over, under = "1"] = pays.split("/");
  return t.odds(over ?? "", under);
}

/** What a row of a paytable does with the stake: "3 to 2", "stake returned", "half the stake lost". */
export function rowSays(pays: string | undefined): string {
  if (pays === undefined || pays === "-1") return t.spot.lost;
  if (pays === "0") return t.spot.returned;
  if (pays === "-1/2") return t.spot.half;
  return pays.startsWith("-") ? t.spot.part(pays.slice(1)) : odds(pays);
}

/** The prices a wager pays, each once, the smallest first. */
export function pricesOf(wager: Wager | undefined): string[] {
  const paid = (wager?.rows ?? []).flatMap((row) => (row.pays === undefined || /^(0|-.*)$/.test(row.pays) ? [] : [row.pays]));
  return [...new Set(paid)].sort((a, b) => ratio(a) - ratio(b));
}

/** A price as short as a spot needs it: "12", and "1 to 2" where it is not so much to 1. */
export const brief = (pays: string | undefined): string => (pays === undefined ? "" : pays.includes("/") ? odds(pays) : pays);

/** The prices of a wager as its spot shows them: "12 to 1", "16 or 50", "up to 100". */
export function shownPrice(wager: Wager | undefined): string {
  const prices = pricesOf(wager);
  const [low, high] = [prices[0], prices.at(-1)];
  if (low === undefined || high === undefined) return "";
  if (prices.length === 1) return odds(low);
  return prices.length === 2 ? t.spot.twoPrices(brief(low), brief(high)) : t.spot.upTo(brief(high));
}

/** How many decimals of a figure stand, given its error as decimal text. */
export const decimalsFor = (error: string): number => Math.max(0, Math.floor(-Math.log10(Number(error))));

/** "3/2" as a number, for ordering and drawing only. */
export function ratio(text: string): number {
  const [over, under = "1"] = text.split("/");
  return Number(over) / Number(under);
}

/** Which chips make up a stake, the largest first; at most `most` of them are drawn. */
export function chipsFor(stake: number, values: readonly number[], most = 5): number[] {
  const chips: number[] = [];
  let left = stake;
  for (const value of [...values].sort((a, b) => b - a)) {
    while (left >= value && chips.length < 24) {
      chips.push(value);
      left -= value;
    }
  }
  if (chips.length === 0) chips.push(Math.min(...values));
  return chips.slice(0, most);
}

export function clock(fromMs: number, nowMs: number): string {
  const seconds = Math.max(0, Math.floor((nowMs - fromMs) / 1000));
  const two = (value: number): string => String(value).padStart(2, "0");
  const hours = Math.floor(seconds / 3600);
  const rest = `${two(Math.floor((seconds % 3600) / 60))}:${two(seconds % 60)}`;
  return hours > 0 ? `${hours}:${rest}` : rest;
}

/** A card for the ear: "queen of hearts". */
export function spoken(face: string | null): string {
  if (face === null) return t.cardDown;
  if (face.startsWith("X")) return t.joker;
  const rank = face.slice(0, -1);
  return t.of(t.ranks[rank] ?? rank, t.suits[face.slice(-1)] ?? "");
}
