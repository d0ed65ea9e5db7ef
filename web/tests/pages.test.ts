import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

import { parts, readBook } from "../src/pages/markdown";
import { seatHand, stageCard } from "../src/parts/layout";
import { chipsFor, decimalsFor, odds, percent, pricesOf, rowSays, shownPrice, stackFace } from "../src/state/money";
import { momentOf, outcomeOf } from "../src/state/outcome";
import { boundsOf, covered, edgeKind, touchPoint, VALUES } from "../src/tables/paire";
import type { GameRecord, RoundView } from "../src/api/types";
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

describe("the stage of a phone", () => {
  it.each([1, 2, 4, 7, 12])("keeps %i hands of up to eight cards inside it, the one in play largest and in front", (hands) => {
    const stage = { width: 3.3, height: hands > 1 ? 2.4 : 1.6, hands, focus: hands - 1, aside: 0.3 };
    for (let hand = 0; hand < hands; hand++) {
      for (let index = 0; index < 8; index++) {
        const { x, scale, front } = stageCard(stage, hand, 8, index);
        expect(Math.abs(x) + scale / 2).toBeLessThanOrEqual(stage.width / 2 + 0.05);
        expect([front, scale === 1]).toEqual(hand === stage.focus ? [true, true] : [false, false]);
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
    expect(outcomeOf(round(0, 7500))).toMatchObject({ text: "−75", detail: "", tier: "none", won: 0 });
    expect(outcomeOf(round(1000, 8500))).toMatchObject({ text: "−75", detail: "10 of 85 back", tier: "none", won: 0 });
    expect(outcomeOf(round(100, 100))).toMatchObject({ tier: "none", won: 0 });
  });

  it("give stakes back only where nothing was won or lost", () => {
    const even = (...returned: number[]): RoundView => {
      const view = lastView("baccarat-six-cards");
      const events = returned.map((back) => ({ event: "settled" as const, seat: 1, hand: 1, wager: "main", stake: 100, returned: back, row: "" }));
      return { ...view, staked: 200, returned: 200, net: 0, view: { ...view.view, events } };
    };
    expect(outcomeOf(even(100, 100)).text).toBe("Even: stakes back");
    expect(outcomeOf(even(0, 200)).text).toBe("Even: as much back as staked");
  });

  it("make more of a larger win, and count what was won, not what came back", () => {
    const round = (returned: number): RoundView => ({ ...lastView("baccarat-six-cards"), staked: 100, returned, net: returned - 100 });
    expect([200, 600, 2600].map((back) => outcomeOf(round(back)).tier)).toEqual(["win", "big", "huge"]);
    expect(outcomeOf(round(250)).won).toBe(150);
  });

  it("have a moment for a blackjack and for the meter, and none for a round that lost", () => {
    const settled = (wager: string, key: string | undefined, net: number): RoundView => {
      const view = lastView("baccarat-six-cards");
      const event = { event: "settled" as const, seat: 1, hand: 1, wager, stake: 100, returned: 250, row: "", key };
      return { ...view, net, view: { ...view.view, events: [event] } };
    };
    const blackjack = GAMES["blackjack-poker-pairs"] as GameRecord;
    const poker = GAMES["three-card-poker"] as GameRecord;
    const meter = { id: "progressive", name: "", group: "", rules: "", rows: [{ name: "", key: "mini royal", share: "1" }], otherwise: "", otherwise_key: "" };
    const [natural, , win] = blackjack.wagers.find(({ id }) => id === "main")?.rows.map((row) => row.key) ?? [];
    expect(momentOf(settled("main", natural, 150), blackjack)).toBe("blackjack");
    expect(momentOf(settled("main", win, 150), blackjack)).toBeNull();
    expect(momentOf(settled("main", natural, -50), blackjack)).toBeNull();
    expect(momentOf(settled("progressive", "mini royal", 150), { ...poker, wagers: [...poker.wagers, meter] })).toBe("jackpot");
  });

  it("name prices and stakes", () => {
    expect([odds("3/2"), odds("12")]).toEqual(["3 to 2", "12 to 1"]);
    expect(["12", "0", "-1/2", "-1/4", "-1"].map(rowSays)).toEqual([
      "12 to 1",
      "stake returned",
      "half the stake lost",
      "1/4 of the stake lost",
      "loses",
    ]);
    const wager = (game: string, id: string) => GAMES[game]?.wagers.find((one) => one.id === id);
    const price = (id: string): string[] => pricesOf(wager("la-paire", id));
    expect(["card-A", "card-joker", "three-2-8-A", "three-7-K-joker", "paire-A", "paire-joker"].map(price)).toEqual(
      [["12"], ["25"], ["3"], ["4"], ["225"], ["1300"]],
    );
    expect(pricesOf(wager("nepal-super-baccarat", "lucky-6"))).toEqual(["12", "20"]);
    expect(pricesOf(wager("nepal-super-baccarat", "banker"))).toEqual(["1/2", "1"]);
    expect(shownPrice(wager("la-paire", "red"))).toBe("1 to 1");
    expect(shownPrice(wager("la-paire", "any-paire"))).toBe("16 or 50");
    expect(shownPrice(wager("la-paire", "poker"))).toBe("up to 100");
    expect(decimalsFor("1e-12")).toBe(12);
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
