/** Which games this browser has been shown how to play. */

const STORE = "pairhouse.toured";

function seen(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(STORE) ?? "[]");
    return Array.isArray(kept) ? kept.filter((one) => typeof one === "string") : [];
  } catch {
    return [];
  }
}

export const wasToured = (game: string): boolean => seen().includes(game);

export function keepToured(game: string): void {
  try {
    localStorage.setItem(STORE, JSON.stringify([...new Set([...seen(), game])]));
  } catch {
    // Without a store the tour may be shown again; it can be skipped.
  }
}
