import { describe, expect, it } from "vitest";

import { Refused } from "../src/api/client";
import type { HousePolicy } from "../src/api/types";
import { limitOf } from "../src/care/limit";
import { inForce } from "../src/care/policy.svelte";
import { isQuick, options, pace } from "../src/state/options.svelte";
import { reasonOf } from "../src/state/refusal";

const house = (policy: Partial<HousePolicy["policy"]>): HousePolicy =>
  ({ policy: { name: "uk", title: "", turbo: false, minimum_round_ms: 5000, celebrate_up_to_stake: false, ...policy }, operator: {} }) as HousePolicy;

describe("a limit", () => {
  it("is typed as people write amounts", () => {
    expect(["50", "12.5", "12,50", " 0.05 ", "0"].map((text) => limitOf("loss", text))).toEqual([5000, 1250, 1250, 5, 0]);
    expect(["", "-1", "1e3", "12.505", "fifty", "1 000"].map((text) => limitOf("loss", text))).toEqual(Array(6).fill(null));
  });

  it("on time is whole minutes", () => {
    expect(["60", "0", "1.5", "x"].map((text) => limitOf("time", text))).toEqual([60, null, null, null]);
  });
});

describe("the policy", () => {
  it("takes turbo and skipping away", () => {
    options.speed = "turbo";
    inForce.told = null;
    expect([isQuick(), pace()]).toEqual([true, "turbo"]);
    inForce.told = house({});
    expect([isQuick(), pace(), inForce.mayHurry]).toEqual([false, "normal", false]);
    options.reducedMotion = true; // things stand still, and take their time all the same
    expect([isQuick(), pace()]).toEqual([true, "normal"]);
    options.reducedMotion = false;
    options.speed = "normal";
    inForce.told = null;
  });

  it("lets no stake that just comes back be heard, unless it says so", () => {
    inForce.told = house({});
    expect(inForce.leastHeard).toBe(1);
    inForce.told = house({ celebrate_up_to_stake: true });
    expect(inForce.leastHeard).toBe(0);
    inForce.told = null;
  });

  it("makes the next game wait", () => {
    inForce.told = house({});
    expect(inForce.waitMs).toBe(0);
    inForce.dealt();
    expect(inForce.waitMs).toBeGreaterThan(4900);
    inForce.told = null;
    expect(inForce.waitMs).toBe(0);
  });
});

describe("who is away", () => {
  it("is told until when", () => {
    const away = { code: "self-excluded", error: "in words of the house", until_at: "2027-05-16T12:00:00.000Z" };
    expect(reasonOf(new Refused(403, away))).toMatch(/^You have excluded yourself from play until 16 May 2027, \d\d:\d\d\.$/);
    expect(reasonOf(new Refused(403, { ...away, until_at: null }))).toBe("You have excluded yourself from play.");
  });
});
