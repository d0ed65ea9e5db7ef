/** The words in force. A language is a folder with the keys of `en`; it is chosen once, before anything is shown. */

import type { TableEvent } from "../api/types";
import type { Texts } from "./en/index";

export const LANGUAGES: Record<string, string> = { en: "English", de: "Deutsch" };

const english = async (): Promise<Texts> => (await import("./en/index")).en;
const LOADERS: Record<string, () => Promise<Texts>> = {
  en: english,
  de: async () => (await import("./de/index")).de,
};

/** The words of the one language that is loaded; there are none before `speak`. */
export let t: Texts;

/** The language somebody likes, or the first of the browser's that we have, or English. */
export function languageOf(liked: string, browser: readonly string[]): string {
  const wanted = [liked, ...browser].map((tag) => tag.toLowerCase().split("-")[0] ?? "");
  return wanted.find((code) => LANGUAGES[code] !== undefined) ?? "en";
}

/** Load a language. Whatever shows words is loaded after it. */
export async function speak(language: string): Promise<void> {
  t = await (LOADERS[language] ?? english)().catch(english);
}

/** With a capital letter, as at the head of a line. */
export const capital = (words: string): string => words.charAt(0).toLocaleUpperCase(t.locale) + words.slice(1);

/** What the house says, in the page's language, by the key it sends with its words and the numbers for the gaps; in its
 * own words where they have no key, or the key no translation. */
export function said(words: string, key: string | null = "", numbers: readonly number[] | null = []): string {
  const text = t.houseTexts[key ?? ""];
  return text === undefined ? words : text.replace(/\{([01])\}/g, (_, gap: string) => String(numbers?.[Number(gap)] ?? ""));
}

/** What an event says, in the page's language. */
export const told = (event: TableEvent | undefined): string => said(event?.text ?? "", event?.key, event?.numbers);
