/** What a player types as a limit, in minor units, or in minutes for time; null where it is no limit. */

export function limitOf(kind: string, text: string): number | null {
  const typed = text.trim();
  if (kind === "time") return /^\d{1,5}$/.test(typed) && Number(typed) > 0 ? Number(typed) : null;
  const found = /^(\d{1,10})(?:[.,](\d{1,2}))?$/.exec(typed);
  return found === null ? null : Number(found[1]) * 100 + Number((found[2] ?? "").padEnd(2, "0"));
}
