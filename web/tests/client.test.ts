import { describe, expect, it } from "vitest";

import { Client, newKey, Refused } from "../src/api/client";

interface Call {
  path: string;
  init: RequestInit;
}

/** A client whose fetch answers from a list; "lost" is a connection that breaks. */
function clientWith(answers: (Response | "lost")[]): { client: Client; calls: Call[]; line: boolean[] } {
  const calls: Call[] = [];
  const line: boolean[] = [];
  const fetcher = ((path: string, init: RequestInit) => {
    calls.push({ path, init });
    const answer = answers.shift();
    return answer === undefined || answer === "lost" ? Promise.reject(new TypeError("lost")) : Promise.resolve(answer);
  }) as typeof fetch;
  return { client: new Client((up) => line.push(up), fetcher, () => Promise.resolve()), calls, line };
}
const json = (body: unknown, status = 200): Response =>
  new Response(JSON.stringify(body), { status, headers: { "Content-Type": "application/json" } });
const headers = (call: Call | undefined): Record<string, string> => call?.init.headers as Record<string, string>;

describe("asking the server", () => {
  it("asks again with the same key after a lost connection, and says so", async () => {
    const { client, calls, line } = clientWith(["lost", json({}, 503), json({ id: "r1" }, 201)]);
    expect(await client.deal("la-paire", [{ poker: 100 }], "seed", "c0")).toEqual({ id: "r1" });
    expect(calls).toHaveLength(3);
    expect(new Set(calls.map((call) => headers(call)["Idempotency-Key"])).size).toBe(1);
    expect(new Set(calls.map((call) => call.init.body)).size).toBe(1);
    expect(line).toEqual([false, false, true]);
  });

  it("takes only answers to the player as a sign that the session is awake", async () => {
    const { client } = clientWith([json({ tables: [] }), json({ id: "p1" })]);
    client.heardAt = 0;
    await client.tables();
    expect(client.heardAt).toBe(0);
    await client.me();
    expect(client.heardAt).toBeGreaterThan(0);
  });

  it("uses another key for every act", async () => {
    const { client, calls } = clientWith([json({}), json({})]);
    await client.choose("r1", "hit", 0);
    await client.choose("r1", "hit", 1);
    expect(headers(calls[0])["Idempotency-Key"]).not.toBe(headers(calls[1])["Idempotency-Key"]);
  });

  it("carries the header that other sites cannot send, on unsafe methods only", async () => {
    const { client, calls } = clientWith([json({}), json({})]);
    await client.me();
    await client.sit("la-paire");
    expect(headers(calls[0])["X-Pairhouse"]).toBeUndefined();
    expect(headers(calls[1])["X-Pairhouse"]).toBe("1");
  });

  it("turns a refusal into the server's sentence, without asking again", async () => {
    const { client, calls } = clientWith([json({ code: "no-funds", error: "too little" }, 402)]);
    const refused = await client.deal("t", [{}], "s", "c").catch((problem: unknown) => problem);
    expect(refused).toBeInstanceOf(Refused);
    expect(refused).toMatchObject({ code: "no-funds", message: "too little", status: 402 });
    expect(calls).toHaveLength(1);
  });

  it("waits where the last game was dealt a moment ago, and asks again with the same key", async () => {
    const early = { code: "too-soon", error: "in 0.7 s", retry_ms: 700 };
    const { client, calls, line } = clientWith([json(early, 429), json({ id: "r2" }, 201)]);
    expect(await client.deal("t", [{}], "s", "c")).toEqual({ id: "r2" });
    expect(new Set(calls.map((call) => headers(call)["Idempotency-Key"])).size).toBe(1);
    expect([calls.length, line]).toEqual([2, []]);
  });

  it("takes no page of a network's gate for an answer, and asks again with the same key", async () => {
    const gate = new Response("<html>Please sign in to the network</html>", { headers: { "Content-Type": "text/html" } });
    const { client, calls, line } = clientWith([gate, json({ id: "r3" }, 201)]);
    expect(await client.deal("t", [{}], "s", "c")).toEqual({ id: "r3" });
    expect(new Set(calls.map((call) => headers(call)["Idempotency-Key"])).size).toBe(1);
    expect(line).toEqual([false, true]);
  });

  it("gives an answer without a body, and a problem without one", async () => {
    const { client } = clientWith([new Response(null, { status: 204 }), new Response("<html>", { status: 500 })]);
    expect(await client.signOut()).toBeNull();
    await expect(client.me()).rejects.toMatchObject({ code: "http-500" });
  });

  it("makes keys the server accepts", () => {
    expect(newKey()).toMatch(/^[A-Za-z0-9_-]{8,64}$/);
    expect(newKey()).not.toBe(newKey());
  });
});
