/** The words in force. A language is a folder with the keys of `en`; it is chosen once, before anything is shown. */

import { en, type Texts } from "./en/index";

export const LANGUAGES: Record<string, string> = { en: "English", de: "Deutsch" };

const LOADERS: Record<string, () => Promise<Texts>> = {
  de: async () => (await import("./de/index")).de,
};

export let t: Texts = en;

/** The language somebody likes, or the first of the browser's that we have, or English. */
export function languageOf(liked: string, browser: readonly string[]): string {
  const wanted = [liked, ...browser].map((tag) => tag.toLowerCase().split("-")[0] ?? "");
  return wanted.find((code) => LANGUAGES[code] !== undefined) ?? "en";
}

/** Load a language. Whatever shows words is loaded after it. */
export async function speak(language: string): Promise<void> {
  t = (await LOADERS[language]?.().catch(() => undefined)) ?? en;
}

/** A sentence of the house in the page's language; as the house says it where there is no other. */
export const said = (words: string): string => t.words[words] ?? words;
