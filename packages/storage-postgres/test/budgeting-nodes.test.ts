import type { BudgetAmount, BudgetSettlement } from "@procedo/storage";
import { expect, it } from "vitest";
import { commitAll, firstRow, row, scope } from "./run-rows.ts";
import { startMs, together, useThreeNodes } from "./three-nodes.ts";

const nodes = useThreeNodes({ circlesHang: true });
const names = ["b", "C", "a_1", "a-2", "z/day/2026-03-29"];

function share(budget: string, amount: number, atMost: number): BudgetAmount {
  return { budget, amount, atMost };
}

/** All budgets, in another order for each number. */
function shares(number: number, atMost: number): readonly BudgetAmount[] {
  const all = names.map((name) => share(name, 1, atMost));
  const turned = [...all.slice(number % names.length), ...all.slice(0, number % names.length)];
  return number % 2 === 0 ? turned : turned.toReversed();
}

async function fill(count: number): Promise<void> {
  const items = Array.from({ length: count }, (_, number) => firstRow(`run-${number}`));
  expect(await commitAll(nodes().storages[0].runs, items)).toEqual(items.map(() => ({ status: "committed" })));
}

const taken = (): Promise<readonly number[]> => nodes().storages[0].budgets.taken(scope, names);

it("runs on three nodes reserve a budget exactly, and no more of it", async () => {
  await fill(150);
  const answers = await together(150, (number) => {
    const amounts = [share("b", 3, 200)];
    return nodes()
      .node(number)
      .budgets.reserve({ scope, runId: `run-${number}`, key: `key-${number}`, amounts });
  });
  expect(answers.filter(({ status }) => status === "reserved")).toHaveLength(66);
  expect(await taken()).toEqual([198, 0, 0, 0, 0]);
});

it("one key that is requested on three nodes adds once", async () => {
  await fill(1);
  const answers = await together(30, (number) => {
    const amounts = [share("b", 1 + number, 1_000)];
    return nodes().node(number).budgets.reserve({ scope, runId: "run-0", key: "key-1", amounts });
  });
  const [sum = 0] = await taken();
  expect(answers).toEqual(answers.map(() => ({ status: "reserved", amounts: [{ budget: "b", amount: sum }] })));
  expect(sum).toBeGreaterThan(0);
});

it("reservations, rows that settle many of them, ends and archiving on three nodes never deadlock", async () => {
  const count = 90;
  await fill(count);
  const node = (number: number) => nodes().node(number);
  const atMost = 60;
  let made = 0;
  let audits = 0;

  /** Each node works for its own runs, and settles their reservations with one commit in changing order. */
  async function work(number: number): Promise<void> {
    const own = Array.from({ length: count / 9 }, (_, index) => 9 * index + number);
    for (let seq = 2; seq < 6; seq++) {
      const settled = await Promise.all(
        own.map(async (run): Promise<{ readonly run: number; readonly settle: readonly BudgetSettlement[] }> => {
          const keys = [`key-${run}-${seq}-a`, `KEY-${run}-${seq}-b`];
          const answers = await Promise.all(
            keys.map((key, index) => {
              const request = { scope, runId: `run-${run}`, key, amounts: shares(run + seq + index, atMost) };
              return node(run + index).budgets.reserve(request);
            }),
          );
          const settle = keys.map((key, index): BudgetSettlement => {
            const isMade = answers[index]?.status === "reserved" && (run + seq + index) % 4 === 0;
            if (isMade) made += 1;
            return { key, spent: isMade ? [] : "nothing" };
          });
          return { run, settle: seq % 2 === 0 ? settle : settle.toReversed() };
        }),
      );
      const rows = settled.map(({ run, settle }) => row(`run-${run}`, seq, { settle }));
      const turned = number % 2 === 0 ? rows : rows.toReversed();
      const results = await commitAll(node(number).runs, turned);
      expect(results).toEqual(rows.map(() => ({ status: "committed" })));
    }
    const ended = { kind: "ended", status: "completed", endedAtMs: startMs } as const;
    await commitAll(
      node(number + 1).runs,
      own.map((run) => row(`run-${run}`, 6, { then: ended })),
    );
    for (const run of own) {
      const stub = { runId: `run-${run}`, seq: 6, hash: `hash-run-${run}-6`, output: undefined };
      // One at a time: the workspace's chain has one head.
      archiving = archiving.then(async () => {
        audits += 1;
        const audit = { seq: audits, hash: `audit-${audits}`, body: "{}" };
        const result = await node(run).retention.archive({ scope, runs: [stub], audit });
        expect(result).toEqual({ status: "archived" });
      });
    }
  }

  let archiving = Promise.resolve();
  await together(9, work);
  await archiving;
  expect(made).toBeLessThanOrEqual(atMost);
  expect(made).toBeGreaterThan(0);
  expect(await taken()).toEqual(names.map(() => made));
  const request = { scope, beforeMs: startMs, budgetsBeforeMs: startMs + 1, limit: 99 };
  expect(await node(0).retention.removeExpired(request)).toBe(names.length);
});
