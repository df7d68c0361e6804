/** Requests that wait for unanswered name lookups: each may hold a socket of the process. */
import { expect, test } from "vitest";
import { createHarness } from "./harness.ts";

const refused = { status: 429, body: { code: "rate_limited" } };

/** A harness whose lookups are not answered until `answer` is called, and keys of both environments. */
async function silentNames() {
  const answered = Promise.withResolvers<readonly string[]>();
  let asked = 0;
  const resolve = (): Promise<readonly string[]> => {
    asked++;
    return answered.promise;
  };
  const harness = await createHarness({ egress: { resolve } });
  const [first, second, third] = [await harness.key(), await harness.key(), await harness.key()];
  const live = await harness.key(["run", "manage"], "live");
  const until = async (isSo: () => boolean): Promise<void> => {
    while (!isSo()) await new Promise((next) => setImmediate(next));
  };
  const webhook = (key: string, nth: number, signal?: AbortSignal) => {
    const body = { url: `http://silent-${asked}-${nth}.test/`, events: ["run_failed"] };
    return harness.ask("POST /api/v1/webhooks", { key, body, ...(signal && { signal }) });
  };
  const webhooks = (key: string, count: number) => Array.from({ length: count }, (_, nth) => webhook(key, nth));
  return { harness, answered, keys: { first, second, third, live }, until, asked: () => asked, webhook, webhooks };
}

test("128 requests of a key and 256 of an environment wait for name lookups, separately from the other environment", async () => {
  const { answered, keys, until, asked, webhook, webhooks } = await silentNames();
  const waiting = webhooks(keys.first, 128);
  await until(() => asked() === 128);
  expect(await webhook(keys.first, 0)).toMatchObject(refused);
  waiting.push(...webhooks(keys.second, 128));
  await until(() => asked() === 256);
  expect(await webhook(keys.third, 0)).toMatchObject(refused);
  waiting.push(webhook(keys.live, 0));
  await until(() => asked() === 257);
  answered.resolve(["127.0.0.1"]);
  expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(Array(257).fill(201));
  expect(await webhook(keys.third, 1)).toMatchObject({ status: 201 });
});

test("a request counts until its lookup ends, even if its caller has disconnected", async () => {
  const { answered, keys, until, asked, webhook, webhooks } = await silentNames();
  const gone = new AbortController();
  const leaving = webhook(keys.first, 127, gone.signal).catch(() => undefined);
  const waiting = webhooks(keys.first, 127);
  await until(() => asked() === 128);
  gone.abort();
  expect(await webhook(keys.first, 0)).toMatchObject(refused);
  answered.resolve(["127.0.0.1"]);
  await Promise.all([leaving, ...waiting]);
});
