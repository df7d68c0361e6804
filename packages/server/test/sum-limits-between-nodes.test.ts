import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openTestDatabase } from "@procedo-testing/postgres";
import type { SumLimit } from "@procedo/contract";
import { ActionError, createEngine, defineIntegration, defineProcedure, type Engine } from "@procedo/engine";
import { createMemoryStorage, type Storage } from "@procedo/storage";
import { PostgresStorage } from "@procedo/storage-postgres";
import { SqliteStorage } from "@procedo/storage-sqlite";
import { describe, expect, onTestFinished, test } from "vitest";
import * as z from "zod";

/** Opens a separate storage on the shared database for each node. */
type Open = () => Promise<() => Promise<Storage>>;

const shared: readonly (readonly [string, Open])[] = [
  [
    "memory",
    async () => {
      const storage = createMemoryStorage({ now: Date.now });
      return async () => storage;
    },
  ],
  [
    "SQLite",
    async () => {
      const folder = mkdtempSync(join(tmpdir(), "procedo-limits-"));
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      return () => SqliteStorage.open({ path: join(folder, "procedo.sqlite") });
    },
  ],
  [
    "Postgres",
    async () => {
      const { url, close } = await openTestDatabase();
      onTestFinished(close);
      return () => PostgresStorage.connect(url, { poolSize: 5 });
    },
  ],
];

const environment = "sandbox";
const amount = 1_000;
/** A limit of 37 payments plus a remainder too small for another. */
const daily: SumLimit = {
  name: "daily",
  sum: "args.amount",
  atMost: 37 * amount + 999,
  per: "day",
  // A time zone whose day does not end during the test.
  timeZone: zoneAtNoon(),
};

/** The time zone in which it is about noon now. */
function zoneAtNoon(): string {
  const ahead = 12 - new Date().getUTCHours();
  // The signs in these zone names are inverted.
  return ahead === 0 ? "Etc/GMT" : `Etc/GMT${ahead > 0 ? "-" : "+"}${Math.abs(ahead)}`;
}

interface Bank {
  /** Keys of the completed payments. */
  readonly paid: Set<string>;
  /** Number of following calls to reject. */
  refusals: number;
}

function bankOf(bank: Bank) {
  return defineIntegration({
    name: "bank",
    actions: ({ defineAction }) => ({
      pay: defineAction({
        description: "Pays.",
        input: z.object({ amount: z.int() }),
        effect: "once",
        run: async (_args, { idempotencyKey }) => {
          await new Promise((resolve) => setImmediate(resolve));
          if (bank.refusals > 0) {
            bank.refusals -= 1;
            throw new ActionError("The account is closed.");
          }
          bank.paid.add(idempotencyKey);
          return { id: idempotencyKey };
        },
      }),
    }),
  });
}

function paying(otherwise: "fail" | "review") {
  return defineProcedure({
    procedureId: "payouts",
    name: "Payouts",
    input: z.object({}),
    nodes: {
      start: { kind: "start", next: "pay" },
      pay: {
        kind: "tool_call",
        connection: "bank",
        action: "pay",
        arguments: { amount },
        sumLimits: [{ ...daily, otherwise }],
        next: "done",
      },
      done: { kind: "end" },
    },
  });
}

interface Nodes {
  readonly engines: readonly Engine[];
  readonly bank: Bank;
  add(): Promise<Engine>;
  /** Starts the given number of runs at once, on all nodes in turn; returns their outcomes. */
  run(count: number): Promise<{ readonly [status: string]: number }>;
  taken(): Promise<number>;
}

async function twoNodes(open: Open, otherwise: "fail" | "review"): Promise<Nodes> {
  const way = await open();
  const bank: Bank = { paid: new Set(), refusals: 0 };
  const storages: Storage[] = [];
  const engines: Engine[] = [];
  const add = async (): Promise<Engine> => {
    const storage = await way();
    storages.push(storage);
    const engine = createEngine({
      storage,
      masterKey: new Uint8Array(32).fill(7),
      integrations: [bankOf(bank)],
      worker: { leaseMs: 3_000 },
      log: { info: () => {}, warn: () => {}, error: () => {} },
    });
    onTestFinished(async () => {
      await engine.stop({ drainMs: 0 });
      await storage.close();
    });
    engines.push(engine);
    await engine.start();
    return engine;
  };
  const first = await add();
  const by = { person: "alice" };
  await first.procedures.publish({ document: paying(otherwise), version: "v1", by });
  await add();
  return {
    engines,
    bank,
    add,
    run: async (count) => {
      const outcomes = await Promise.all(
        Array.from({ length: count }, async (_, number) => {
          const engine = engines[number % engines.length] ?? first;
          const started = await engine.runs.start({ procedureId: "payouts", environment, data: {}, by });
          return await (engines.at(-1) ?? first).runs.wait({ environment, runId: started.runId });
        }),
      );
      return Object.fromEntries(
        [...Map.groupBy(outcomes, ({ status }) => status)].map(([status, those]) => [status, those.length]),
      );
    },
    taken: async () => {
      const day = new Intl.DateTimeFormat("sv-SE", { timeZone: daily.timeZone }).format(Date.now());
      const scope = { workspace: "default", environment } as const;
      const [taken] = (await storages[0]?.budgets.taken(scope, [`sum/payouts/pay/daily/day/${day}`])) ?? [];
      return taken ?? NaN;
    },
  };
}

describe.each(shared)("a daily limit that fits 37 of 100 payments, on two nodes over one %s", (_name, open) => {
  test.each([
    ["fail", "failed"],
    ["review", "awaiting_review"],
  ] as const)("lets exactly 37 be made, and has the others %s", async (otherwise, status) => {
    const { run, bank, taken } = await twoNodes(open, otherwise);
    expect(await run(100)).toEqual({ completed: 37, [status]: 63 });
    expect(bank.paid.size).toBe(37);
    expect(await taken()).toBe(37 * amount);
  });

  test("releases the reservations of payments that certainly were not made", async () => {
    const { run, bank, taken } = await twoNodes(open, "fail");
    bank.refusals = 20;
    await run(100);
    expect(bank.refusals).toBe(0);
    expect(await taken()).toBe(bank.paid.size * amount);
    expect(bank.paid.size).toBeLessThanOrEqual(37);
    await run(40);
    expect(bank.paid.size).toBe(37);
    expect(await taken()).toBe(37 * amount);
  });

  test("is neither exceeded nor left unused when a node stops midway", async () => {
    const { engines, add, run, bank, taken } = await twoNodes(open, "fail");
    const [leaving] = engines;
    await add();
    const running = run(100);
    await Promise.all([running, leaving?.stop({ drainMs: 0 })]);
    await run(60);
    const [left] = engines.slice(-1);
    const waiting = await left?.runs.list({ environment, status: "awaiting_review", limit: 100 });
    // Calls with an unknown outcome keep their reservation, whether or not they were executed.
    const unknown = waiting?.items.length ?? NaN;
    expect(await taken()).toBe(37 * amount);
    expect(bank.paid.size).toBeLessThanOrEqual(37);
    expect(bank.paid.size).toBeGreaterThanOrEqual(37 - unknown);
  });
});
