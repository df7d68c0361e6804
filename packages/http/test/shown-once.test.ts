/** Secrets that are shown in a single answer, whose caller is gone. */
import { interceptVerbs, manualClock } from "@procedo-testing/faults";
import { privateConnectionIntegration } from "@procedo/contract";
import { createMemoryStorage, type Storage } from "@procedo/storage";
import { describe, expect, test } from "vitest";
import { createHarness, type Harness } from "./harness.ts";

/** A storage whose writes of records and sessions can be delayed, before or after they are made. */
function heldWrites(inner: Storage) {
  let held:
    | {
        readonly verb: string;
        readonly at: "before" | "after";
        readonly reached: () => void;
        readonly passing: Promise<void>;
      }
    | undefined;
  const delayed = async <T>(verb: string, write: () => Promise<T>): Promise<T> => {
    const here = held?.verb === verb ? held : undefined;
    if (here !== undefined) held = undefined;
    const pass = async (at: "before" | "after"): Promise<void> => {
      if (here?.at !== at) return;
      here.reached();
      await here.passing;
    };
    await pass("before");
    const result = await write();
    await pass("after");
    return result;
  };
  const storage = interceptVerbs(inner, {
    "records.put": (put) => delayed("records.put", put),
    "sessions.create": (create) => delayed("sessions.create", create),
  });
  return {
    storage,
    /** Delays the next write. */
    hold: (at: "before" | "after", verb: "records.put" | "sessions.create" = "records.put") => {
      const [reached, passing] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      held = { verb, at, reached: reached.resolve, passing: passing.promise };
      return { reached: reached.promise, release: passing.resolve };
    },
  };
}

async function heldHarness() {
  const clock = manualClock();
  const { storage, hold } = heldWrites(createMemoryStorage({ now: clock.now }));
  const harness = await createHarness({ clock, storage });
  const key = await harness.key(["run", "manage"]);
  const webhook = await harness.ask("POST /api/v1/webhooks", {
    key,
    body: { url: "http://127.0.0.1:8/hook", events: ["run_failed"] },
  });
  const connection = await harness.ask("POST /api/v1/connections", {
    key,
    body: { name: "office", integration: privateConnectionIntegration },
  });
  const ids = { webhook: webhook.body["id"] as string, connection: connection.body["id"] as string };
  const page = { workspace: "default", limit: 100 };
  /** All stored data of keys, webhooks and connections, without revisions. */
  const kept = async (): Promise<unknown> =>
    await Promise.all(
      ["api_key", "webhook", "connection"].map(async (kind) => {
        const { items } = await storage.records.list({ ...page, kind });
        return items.map(({ id, body, uniqueKeys }) => ({ id, body: JSON.parse(body) as unknown, uniqueKeys }));
      }),
    );
  const settled = async (): Promise<void> => {
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  };
  return { harness, clock, hold, key, ids, kept, settled };
}

const shows: readonly (readonly [string, (ids: { webhook: string; connection: string }) => [string, object?]])[] = [
  ["a new API key", () => ["POST /api/v1/api-keys", { name: "ci", environment: "sandbox" }]],
  ["a new webhook", () => ["POST /api/v1/webhooks", { url: "http://127.0.0.1:8/other", events: ["run_failed"] }]],
  ["a webhook's new secret", ({ webhook }) => [`POST /api/v1/webhooks/${webhook}/rotate`]],
  [
    "a webhook's new secret beside the old one",
    ({ webhook }) => [`POST /api/v1/webhooks/${webhook}/rotate`, { keepOldSecret: true }],
  ],
  [
    "a new private connection",
    () => ["POST /api/v1/connections", { name: "branch", integration: privateConnectionIntegration }],
  ],
  [
    "a private connection's new token",
    ({ connection }) => [`POST /api/v1/connections/${connection}/private-connection/tokens/sandbox`],
  ],
];

const ask = (harness: Harness, key: string, [target, body]: [string, object?], signal?: AbortSignal) =>
  harness.ask(target, { key, ...(body && { body }), ...(signal && { signal }) });

describe.each(shows)("%s", (_what, request) => {
  test.each(["before", "after"] as const)(
    "is removed if its answer timed out while storage hung %s the write",
    async (at) => {
      const { harness, clock, hold, key, ids, kept, settled } = await heldHarness();
      const before = await kept();
      const write = hold(at);
      const asking = ask(harness, key, request(ids));
      await write.reached;
      await clock.advance(5_000);
      expect(await asking).toMatchObject({ status: 503, body: { code: "storage_unavailable" } });
      write.release();
      await settled();
      expect(await kept()).toEqual(before);
    },
  );

  test("is removed if its caller disconnected during the write, and created for one that stays", async () => {
    const { harness, hold, key, ids, kept, settled } = await heldHarness();
    const before = await kept();
    const write = hold("after");
    const caller = new AbortController();
    const asking = ask(harness, key, request(ids), caller.signal).catch(() => undefined);
    await write.reached;
    caller.abort();
    write.release();
    await asking;
    await settled();
    expect(await kept()).toEqual(before);
    expect((await ask(harness, key, request(ids))).status).toBeLessThan(300);
    expect(await kept()).not.toEqual(before);
  });
});

test("the removal is in the audit chain, with the reason", async () => {
  const { harness, clock, hold, key, settled } = await heldHarness();
  const write = hold("after");
  const asking = ask(harness, key, ["POST /api/v1/api-keys", { name: "ci", environment: "sandbox" }]);
  await write.reached;
  await clock.advance(5_000);
  await asking;
  write.release();
  await settled();
  const changes = await harness.engine.audit.changes({});
  expect(JSON.stringify(changes)).toMatch(/api_key\.created.*api_key\.removed.*no longer waited for/);
});

describe("the session of", () => {
  const email = "ana@procedo.test";
  const password = "four eyes see more";
  const next = "six eyes see even more";
  const signIn = { email, password, answerWith: "token" };

  async function peopleHarness() {
    const made = await heldHarness();
    const { people, sessions } = made.harness.engine;
    const { token } = await people.invite({ email, access: { live: ["viewer"] }, by: { person: "operator" } });
    const { personId } = await people.accept({ token, name: "Ana", password });
    const { token: key } = await sessions.signInAs({ personId });
    const present = (await sessions.list({ personId })).length;
    return { ...made, key, present, count: async () => (await sessions.list({ personId })).length };
  }

  const signedIn = (harness: Harness, word: string) =>
    harness.ask("POST /api/v1/session", { body: { ...signIn, password: word } });

  test.each(["before", "after"] as const)(
    "a sign-in ends if its answer timed out while storage hung %s the write",
    async (at) => {
      const { harness, clock, hold, present, count, settled } = await peopleHarness();
      const write = hold(at, "sessions.create");
      const asking = signedIn(harness, password);
      await write.reached;
      await clock.advance(12_000);
      expect(await asking).toMatchObject({ status: 503, body: { code: "storage_unavailable" } });
      write.release();
      await settled();
      expect(await count()).toBe(present);
      expect((await signedIn(harness, password)).status).toBe(201);
      expect(await count()).toBe(present + 1);
    },
  );

  test("a sign-in ends if its caller disconnected, and so does that of a new password, which counts", async () => {
    const { harness, hold, key, present, count, settled } = await peopleHarness();
    const disconnect = async (ask: (signal: AbortSignal) => Promise<unknown>) => {
      const write = hold("after", "sessions.create");
      const caller = new AbortController();
      const asking = ask(caller.signal).catch(() => undefined);
      await write.reached;
      caller.abort();
      write.release();
      await asking;
      await settled();
    };
    await disconnect((signal) => harness.ask("POST /api/v1/session", { body: signIn, signal }));
    expect(await count()).toBe(present);
    await disconnect((signal) =>
      harness.ask("PUT /api/v1/session/password", { key, body: { current: password, next }, signal }),
    );
    expect(await count()).toBe(0);
    expect((await signedIn(harness, password)).status).toBe(401);
    expect((await signedIn(harness, next)).status).toBe(201);
  });
});
