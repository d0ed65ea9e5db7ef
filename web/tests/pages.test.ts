import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

import { parts, readBook } from "../src/pages/markdown";
import { seatHand } from "../src/parts/layout";
import { chipsFor, odds, percent, shownPrice, stackFace } from "../src/state/money";
import { outcomeOf } from "../src/state/outcome";
import { boundsOf, covered, edgeKind, touchPoint, VALUES } from "../src/tables/paire";
import type { RoundView } from "../src/api/types";
import { GAMES, lastView } from "./recorded";

describe("La Pair'e's layout", () => {
  const wagers = GAMES["la-paire"]?.wagers.map((wager) => wager.id) ?? [];
  const between = wagers.filter((id) => /^(split|three|corner)-/.test(id));

  it("has a square for every value the server takes", () => {
    expect(wagers.filter((id) => id.startsWith("card-")).map((id) => id.slice(5)).sort()).toEqual([...VALUES].sort());
    expect(between).toHaveLength(27);
  });

  it.each(between)("%s lies where all its squares touch, and on no other", (wager) => {
    const { x, y } = touchPoint(wager);
    const touches = VALUES.filter((value) => {
      const box = boundsOf(value);
      return x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height;
    });
    expect(touches.sort()).toEqual(covered(wager).sort());
  });

  it("no two bets share a place", () => {
    const places = between.map((wager) => Object.values(touchPoint(wager)).join());
    expect(new Set(places).size).toBe(places.length);
    expect(edgeKind("split-2-8")).toBe("level");
    expect(edgeKind("split-2-3")).toBe("upright");
    expect(edgeKind("corner-2-3-8-9")).toBe("point");
  });
});

describe("a seat's hands", () => {
  it.each([2.6, 2.9, 4.6])("up to four of them, of up to eight cards, stay within %f card widths", (room) => {
    for (let hands = 1; hands <= 4; hands++) {
      for (let hand = 1; hand <= hands; hand++) {
        for (let index = 0; index < 8; index++) {
          const { x, scale } = seatHand(hands, hand, 8, index, room);
          expect(Math.abs(x) + scale / 2).toBeLessThanOrEqual(room / 2 + 0.01 + (hands === 1 ? 0.6 : 0));
        }
      }
    }
  });
});

describe("words and amounts", () => {
  it("tell a return below the stake plainly", () => {
    const round = (returned: number, staked: number): RoundView => ({
      ...lastView("baccarat-six-cards"),
      staked,
      returned,
      net: returned - staked,
    });
    expect(outcomeOf(round(50, 100)).kind).toBe("plain");
    expect(outcomeOf(round(100, 100)).kind).toBe("plain");
    expect(outcomeOf(round(150, 100)).kind).toBe("win");
  });

  it("name prices and stakes", () => {
    expect([odds("3/2"), odds("12")]).toEqual(["3 to 2", "12 to 1"]);
    const spot = (game: string, id: string) => shownPrice(GAMES[game]?.wagers.find((wager) => wager.id === id));
    expect(spot("nepal-super-baccarat", "lucky-6")).toBe("20 / 12 to 1");
    expect(spot("nepal-super-baccarat", "banker")).toBe("1 to 1 or 1 to 2");
    expect(spot("la-paire", "poker")).toBe("to 100 to 1");
    expect(percent("0.012345", 3)).toBe("1.234%");
    expect([stackFace(100), stackFace(150), stackFace(2_500_000)]).toEqual(["1", "1.50", "25k"]);
    expect(chipsFor(3100, [100, 500, 2500])).toEqual([2500, 500, 100]);
  });
});

describe("rule books", () => {
  const folder = new URL("../../docs/rules/", import.meta.url);
  it.each(readdirSync(folder))("%s is read without leaving marks behind", (name) => {
    const blocks = readBook(readFileSync(new URL(name, folder), "utf8"));
    expect(blocks.filter((block) => block.kind === "table").length).toBeGreaterThan(0);
    for (const block of blocks) {
      const lines =
        block.kind === "list" ? block.items : block.kind === "table" ? [...block.head, ...block.rows.flat()] : [];
      for (const line of lines) {
        for (const part of parts(line)) if (part.kind !== "code") expect(part.text).not.toMatch(/\*\*|`/);
      }
    }
  });
});
