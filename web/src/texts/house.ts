/** From a text of the house to its translation: the house says which key a text has, a language has the text of a key. */

type ByKey = Readonly<Record<string, string>>;

/** The game a key belongs to; "tables" for the names of tables. */
const gameOf = (key: string): string => key.slice(0, key.indexOf("/"));
const GAP = /\\\{([01])\\\}/g;
const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Translates whatever a house with these texts says; of a game, by that game's keys first. */
export function translator(house: ByKey, translation: ByKey): (words: string, game: string) => string {
  const whole = new Map<string, string>();
  const gapped: { form: RegExp; gaps: number[]; text: string }[] = [];
  for (const [key, words] of Object.entries(house)) {
    const text = translation[key];
    if (text === undefined) continue;
    if (/\{[01]\}/.test(words)) {
      const gaps = [...words.matchAll(/\{([01])\}/g)].map((gap) => Number(gap[1]));
      gapped.push({ form: new RegExp(`^${escaped(words).replace(GAP, "(\\d+)")}$`), gaps, text });
    }
    whole.set(`${gameOf(key)} ${words}`, text);
    if (!whole.has(words)) whole.set(words, text);
  }
  return (words, game) => {
    const found = whole.get(`${game} ${words}`) ?? whole.get(words);
    if (found !== undefined) return found;
    for (const { form, gaps, text } of gapped) {
      const numbers = form.exec(words)?.slice(1);
      if (numbers !== undefined) return text.replace(/\{([01])\}/g, (_, gap: string) => numbers[gaps.indexOf(Number(gap))] ?? "");
    }
    return words;
  };
}
