/** The address after the hash, in parts. An address that cannot be read leads to the lobby. */

export interface Route {
  page: string;
  id: string;
  sheet: string;
}

const WITHOUT_ID = ["history", "statistics", "trainer", "pit"];

export function routeOf(hash: string): Route {
  let parts: string[];
  try {
    parts = hash.replace(/^#\/?/, "").split("/").map(decodeURIComponent);
  } catch {
    parts = [];
  }
  const [page = "", id = "", sheet = ""] = parts;
  return id === "" && !WITHOUT_ID.includes(page) ? { page: "", id: "", sheet: "" } : { page, id, sheet };
}
