import { expect, test } from "vitest";
import { manualClock } from "@procedo-testing/faults";
import type { RequestHead } from "@procedo/http";
import { createHarness, origin } from "./harness.ts";

test("a caller that guesses keys is rate limited, without effect on a valid key from the same address and on others", async () => {
  const clock = manualClock();
  const harness = await createHarness({ clock });
  const key = await harness.key();
  const attempt = (address: string, sent = `rsk_sandbox_${Math.random()}`) =>
    harness.ask("GET /api/v1/runs", { key: sent, address });
  const statuses = new Map<number, number>();
  for (let n = 0; n < 3_500; n++) {
    const { status } = await attempt("192.0.2.1");
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  expect(Object.fromEntries(statuses)).toEqual({ 401: 3_000, 429: 500 });
  const refused = await attempt("192.0.2.1");
  expect(refused).toMatchObject({ status: 429, body: { code: "rate_limited" } });
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await attempt("192.0.2.1", key)).status).toBe(200);
  expect((await attempt("192.0.2.2")).status).toBe(401);
  await clock.advance(Number(refused.headers.get("retry-after")) * 1_000);
  expect((await attempt("192.0.2.1")).status).toBe(401);
});

test("a key above its rate is refused with a time to retry, and another key is not", async () => {
  const clock = manualClock();
  const harness = await createHarness({ clock, requestsPerSecond: 10 });
  const [busy, calm] = [await harness.key(), await harness.key()];
  const ask = (key: string) => harness.ask("GET /api/v1/runs", { key });
  for (let n = 0; n < 20; n++) expect((await ask(busy)).status).toBe(200);
  const refused = await ask(busy);
  expect(refused).toMatchObject({ status: 429, body: { code: "rate_limited" } });
  expect((await ask(calm)).status).toBe(200);
  await clock.advance(Number(refused.headers.get("retry-after")) * 1_000);
  expect((await ask(busy)).status).toBe(200);
});

test("the sessions of a person have one rate, in operations of every kind, and a key of the person has its own", async () => {
  const clock = manualClock();
  const harness = await createHarness({ clock, requestsPerSecond: 10 });
  const ana = await harness.person({ access: { live: ["viewer"] } });
  const sessions = [ana.token, ...(await Promise.all(Array.from({ length: 9 }, () => ana.signInAgain())))];
  for (const key of sessions) {
    for (const target of ["GET /api/v1/runs?environment=live", "GET /api/v1/session"]) {
      expect((await harness.ask(target, { key })).status).toBe(200);
    }
  }
  for (const key of [ana.token, await ana.signInAgain()]) {
    for (const target of ["GET /api/v1/runs?environment=live", "GET /api/v1/session"]) {
      expect(await harness.ask(target, { key })).toMatchObject({ status: 429, body: { code: "rate_limited" } });
    }
  }
  const { token: ben } = await harness.person({ access: { live: ["viewer"] } });
  expect((await harness.ask("GET /api/v1/session", { key: ben })).status).toBe(200);
  const key = await harness.key([], "live", ana.email);
  expect((await harness.ask("GET /api/v1/runs", { key })).status).toBe(200);
});

test.each([undefined, "sandbox"] as const)(
  "so have those of an application's person, in the environment %s",
  async (environment) => {
    const authenticate = async ({ header }: RequestHead) => ({
      person: "ana",
      via: header("x-session") ?? "",
      permissions: [],
      ...(environment !== undefined && { environment }),
    });
    const clock = manualClock();
    const harness = await createHarness({ authenticate, clock, requestsPerSecond: 1 });
    const ask = async (session: string) => {
      const url = `${origin}/api/v1/runs?environment=sandbox`;
      return (await harness.http.fetch(new Request(url, { headers: { "x-session": session } }))).status;
    };
    expect([await ask("1"), await ask("2"), await ask("3")]).toEqual([200, 200, 429]);
  },
);
