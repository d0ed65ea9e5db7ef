/** The words in force. A language is a folder with the keys of `en`; it is chosen once, before anything is shown. */

import { en, type Texts } from "./en/index";
import { translator } from "./house";

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

/** Load a language, and which keys the house's own texts have. Whatever shows words is loaded after it. */
export async function speak(language: string, ofHouse: () => Promise<Record<string, string>>): Promise<void> {
  const load = LOADERS[language];
  if (load === undefined) return;
  const [loaded, texts] = await Promise.all([load().catch(() => en), ofHouse().catch(() => ({}))]);
  t = loaded;
  learn(texts);
}

/** With a capital letter, as at the head of a line. */
export const capital = (words: string): string => words.charAt(0).toLocaleUpperCase(t.locale) + words.slice(1);

/** What the house says, in the page's language; as it says it where there is no translation. */
export const said = (words: string, game = ""): string => translated(words, game);

let translated: (words: string, game: string) => string = (words) => words;

/** Learn from the house which key each of its texts has, so that its translation is found by that key. */
export function learn(texts: Readonly<Record<string, string>>): void {
  translated = translator(texts, t.houseTexts);
}
