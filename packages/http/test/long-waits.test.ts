import { expect, test } from "vitest";
import { longWaitsOfKey } from "../src/access/long-waits.ts";
import { createBench } from "./bench.ts";

test("a key holds so many synchronous starts open; the next is refused, and others are not", async () => {
  const bench = await createBench();
  const [key, other] = [await bench.key(), await bench.key()];
  const start = (as: string) =>
    bench.ask("POST /v1/procedures/slow/sandbox", {
      key: as,
      headers: { "idempotency-key": as.slice(-8) },
      body: { data: {}, control: { executionMode: "sync" } },
    });
  const held: ReturnType<typeof start>[] = [];
  while (held.length < longWaitsOfKey) {
    for (let n = 0; n < 50; n++) held.push(start(key));
    for (let n = 0; n < 20; n++) await new Promise((resolve) => setImmediate(resolve));
  }
  expect(await start(key)).toMatchObject({ status: 429, body: { code: "rate_limited" } });
  // What is answered at once is no long wait.
  expect((await bench.ask("GET /api/v1/runs", { key })).status).toBe(200);
  const ofOther = start(other);
  bench.letGo();
  for (const one of [...held, ofOther]) expect((await one).status).toBe(200);
  expect((await start(key)).status).toBe(200);
});
