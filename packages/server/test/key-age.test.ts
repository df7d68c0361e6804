import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openTestDatabase } from "@procedo-testing/postgres";
import { createEngine, defineIntegration, defineProcedure, systemClock, z, type Engine } from "@procedo/engine";
import type { Storage } from "@procedo/storage";
import { PostgresStorage } from "@procedo/storage-postgres";
import { SqliteStorage } from "@procedo/storage-sqlite";
import { describe, expect, onTestFinished, test } from "vitest";

/* A service that is down for two days, while the bank forgets its idempotency keys. */

const dayMs = 86_400_000;

/** Opens another storage on the same database. */
type Reopen = (now: () => number) => Promise<Storage>;

const databases: readonly (readonly [string, () => Promise<Reopen>])[] = [
  [
    "SQLite",
    async () => {
      const folder = mkdtempSync(join(tmpdir(), "procedo-key-age-"));
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      return (now) => SqliteStorage.open({ path: join(folder, "procedo.sqlite"), now });
    },
  ],
  [
    "Postgres",
    async () => {
      const { url, close } = await openTestDatabase();
      onTestFinished(close);
      return (now) => PostgresStorage.connect(url, { poolSize: 5, now });
    },
  ],
];

/** Pays once per key, and forgets a key after a day. Its first answer never arrives. */
function forgetfulBank(now: () => number) {
  const paidAtMs = new Map<string, number>();
  let payments = 0;
  let answered = false;
  const integration = defineIntegration({
    name: "bank",
    actions: ({ defineAction }) => ({
      pay: defineAction({
        description: "Pays.",
        input: z.object({}),
        effect: "idempotent",
        run: (_input, { idempotencyKey }) => {
          const known = paidAtMs.get(idempotencyKey);
          if (known === undefined || now() - known > dayMs) {
            payments += 1;
            paidAtMs.set(idempotencyKey, now());
          }
          if (!answered) {
            answered = true;
            throw new Error("The connection was cut.");
          }
          return { id: idempotencyKey };
        },
      }),
    }),
  });
  return { integration, payments: () => payments };
}

const document = defineProcedure({
  procedureId: "payout",
  name: "Payout",
  input: z.object({}),
  nodes: {
    start: { kind: "start", next: "pay" },
    pay: {
      kind: "tool_call",
      connection: "bank",
      action: "pay",
      retry: { initialDelayMs: 60_000, maxDelayMs: 60_000 },
      next: "done",
    },
    done: { kind: "end" },
  },
});

const by = { person: "ana@example.com" };
const environment = "sandbox";

/** Pays, is stopped before the call is repeated, and starts again after `awayMs`. */
async function downFor(reopen: Reopen, awayMs: number) {
  let offsetMs = 0;
  const now = (): number => Date.now() + offsetMs;
  const bank = forgetfulBank(now);
  const open = async (): Promise<Engine> => {
    const storage = await reopen(now);
    const engine = createEngine({
      storage,
      masterKey: new Uint8Array(32).fill(7),
      integrations: [bank.integration],
      clock: { ...systemClock, now },
      log: { info: () => {}, warn: () => {}, error: () => {} },
    });
    await engine.start();
    onTestFinished(async () => {
      await engine.stop({ drainMs: 0 });
      await storage.close();
    });
    return engine;
  };
  const first = await open();
  await first.procedures.publish({ document, version: "v1", by });
  const { runId } = await first.runs.start({ procedureId: "payout", environment, data: {}, by });
  const settled = async (engine: Engine, until: (entries: readonly string[]) => boolean): Promise<void> => {
    await expect
      .poll(
        async () => {
          const rows = await engine.runs.journal({ environment, runId });
          return until(rows.flatMap(({ entries }) => entries.map(({ type }) => type)));
        },
        { timeout: 20_000 },
      )
      .toBe(true);
  };
  await settled(first, (types) => types.includes("outcome"));
  await first.stop({ drainMs: 0 });
  offsetMs += awayMs;
  const second = await open();
  await settled(second, (types) => types.includes("review_opened") || types.includes("ended"));
  return { engine: second, runId, bank };
}

describe.each(databases)("a payment without an answer on %s", (_name, open) => {
  test("is not made twice by a service that was down for two days: a person decides", async () => {
    const { engine, runId, bank } = await downFor(await open(), 2 * dayMs);
    expect(bank.payments()).toBe(1);
    expect((await engine.runs.get({ environment, runId })).status).toBe("awaiting_review");
    const [review] = await engine.reviews.ofRun({ environment, runId });
    expect(review).toMatchObject({
      kind: "outcome_unknown",
      title: "Outcome unknown, idempotency key expired: pay",
      data: { idempotencyKeyTtlMs: dayMs },
    });
  });

  test("is repeated under the same key by a service that was down for an hour", async () => {
    const { engine, runId, bank } = await downFor(await open(), 3_600_000);
    expect(bank.payments()).toBe(1);
    expect((await engine.runs.get({ environment, runId })).status).toBe("completed");
  });
});
