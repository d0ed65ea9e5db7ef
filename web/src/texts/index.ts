/** The words in force. A language is a folder with the keys of `en`; it is chosen once, before anything is shown. */

import type { Texts } from "./en/index";
import { translator } from "./house";

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

/** Load a language and, where it is not the house's own, which keys the house's texts have. Whatever shows words is
 * loaded after it. */
export async function speak(language: string, ofHouse: () => Promise<Record<string, string>>): Promise<void> {
  const load = LOADERS[language] ?? english;
  const texts = load === english ? null : ofHouse().catch(() => ({}));
  t = await load().catch(english);
  if (texts !== null) learn(await texts);
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
