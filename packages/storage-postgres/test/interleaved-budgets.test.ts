import { beforeEach, expect, it } from "vitest";
import type { PostgresStorage } from "../src/index.ts";
import { useInterleaving, type Interleaving } from "./interleaving.ts";
import { commitAll, firstRow, row, scope } from "./run-rows.ts";

/** Changes by another node between the start of a statement and its locks. */
const nowMs = 1_790_000_000_000;
const names = ["budget-1", "budget-2"];
const amounts = names.map((budget) => ({ budget, amount: 10, atMost: 100 }));

let storage: PostgresStorage;
let other: Interleaving["other"];

const harness = useInterleaving({ now: () => nowMs, timeoutMs: 40_000 });
const interleaved: Interleaving["interleaved"] = (change, call) => harness().interleaved(change, call);
beforeEach(async () => {
  ({ storage, other } = harness());
  await storage.runs.commit(firstRow("run-1"));
});

const reserve = (key = "key-1") => storage.budgets.reserve({ scope, runId: "run-1", key, amounts });
const settle = (amount?: number) => {
  const spent = amount === undefined ? "nothing" : [{ budget: "budget-1", amount }];
  return commitAll(storage.runs, [row("run-1", 2, { settle: [{ key: "key-1", spent }] })]);
};
const taken = () => storage.budgets.taken(scope, names);

const place = "'acme', 'sandbox'";
const lockRun = "SELECT FROM runs WHERE run_id = 'run-1' FOR NO KEY UPDATE";
const reserved = `[{"budget":"budget-1","amount":7},{"budget":"budget-2","amount":8}]`;
const insertReservation = `INSERT INTO reservations VALUES (${place}, 'key-1', 'run-1', '${reserved}')`;
const insertBudgets = `INSERT INTO budgets VALUES (${place}, 'budget-1', 7, 1, 1, 1), (${place}, 'budget-2', 8, 1, 1, 1)`;

it("a row settles reservations that its run's previous owner made meanwhile, of budgets that did not exist yet", async () => {
  expect(await interleaved(`${lockRun}; ${insertReservation}; ${insertBudgets}`, () => settle())).toEqual([
    { status: "committed" },
  ]);
  expect(await taken()).toEqual([0, 0]);
});

it("a row settles reservations that were made meanwhile, of budgets that others have changed since", async () => {
  await storage.budgets.reserve({ scope, runId: "run-1", key: "key-0", amounts });
  const add = "UPDATE budgets SET taken = taken + 7, reservations = reservations + 1";
  await interleaved(`${lockRun}; ${insertReservation.replace('"amount":8', '"amount":7')}; ${add}`, () => settle(20));
  expect(await taken()).toEqual([30, 17]);
});

it("a reservation whose key was settled meanwhile adds nothing", async () => {
  const settled = `INSERT INTO reservations VALUES (${place}, 'key-1', 'run-1', '[]', '"nothing"')`;
  expect(await interleaved(settled, reserve)).toEqual({ status: "reserved", amounts: [] });
  expect(await taken()).toEqual([0, 0]);
});

it("a reservation whose run has ended meanwhile adds nothing", async () => {
  const end = "UPDATE runs SET status = 'completed', worker_id = NULL, ended_at_ms = 1 WHERE run_id = 'run-1'";
  expect(await interleaved(end, reserve)).toEqual({ status: "reserved", amounts: [] });
  expect(await taken()).toEqual([0, 0]);
});

it("a reservation counts concurrent reservations, also of a budget that did not exist yet", async () => {
  const others = `INSERT INTO budgets VALUES (${place}, 'budget-2', 91, 1, 1, 1)`;
  expect(await interleaved(others, reserve)).toEqual({ status: "exceeded", budget: "budget-2", taken: 91 });
  expect(await interleaved("UPDATE budgets SET taken = 90", reserve)).toMatchObject({ status: "reserved" });
  expect(await taken()).toEqual([10, 100]);
});

it("a reservation recreates a budget that was removed meanwhile", async () => {
  await other.query(`INSERT INTO budgets VALUES (${place}, 'budget-1', 95, 0, 1, 1)`);
  expect(await interleaved("DELETE FROM budgets", reserve)).toMatchObject({ status: "reserved" });
  expect(await taken()).toEqual([10, 10]);
});

it("a removal skips a budget with a reservation in progress", async () => {
  await other.query(
    `INSERT INTO budgets VALUES (${place}, 'budget-1', 5, 0, 1, 1), (${place}, 'budget-2', 6, 0, 1, 1)`,
  );
  await other.query("BEGIN; UPDATE budgets SET taken = taken + 1, reservations = 1 WHERE budget = 'budget-1'");
  const request = { scope, beforeMs: nowMs, budgetsBeforeMs: nowMs, limit: 9 };
  expect(await storage.retention.removeExpired(request)).toBe(1);
  await other.query("COMMIT");
  expect(await taken()).toEqual([6, 0]);
});
