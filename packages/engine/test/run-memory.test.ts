import type { Environment } from "@procedo/contract";
import { expect, test } from "vitest";
import { alice, createBench, type Bench } from "./bench.ts";
import { call, procedure } from "./documents.ts";
import { answers, held, type Behaviour } from "./scripted-bank.ts";

/** Some 64 MiB of memory by the estimate, so that two such answers fit and three do not. */
const large = { rows: Array.from({ length: 20 }, (_, n) => `${n}`.repeat(750_000)) };
const limits = { stepBytes: 64 * 1024 * 1024, runBytes: 512 * 1024 * 1024 };

const document = procedure([call("a", "read"), call("b", "idempotent")]);

async function startMany(bench: Bench, environment: Environment, count: number): Promise<readonly string[]> {
  const request = { procedureId: "p", version: "v1", environment, data: {}, by: alice };
  const started = await Promise.all(Array.from({ length: count }, () => bench.engine.runs.start(request)));
  await bench.clock.settle();
  return started.map(({ runId }) => runId);
}

test("runs with large answers go on together as far as they fit into memory; the others wait, and all end", async () => {
  const bench = await createBench({ limits, worker: { pollMs: 60_000 } });
  await bench.publish(document);
  const slow = Array.from({ length: 10 }, () => held());
  const inHands = { now: 0, most: 0 };
  const counted = slow.map(({ behaviour }): Behaviour => async (made) => {
    const { environment } = made.context;
    if (environment === "sandbox") inHands.most = Math.max(inHands.most, (inHands.now += 1));
    const answer = await behaviour(made);
    if (environment === "sandbox") inHands.now -= 1;
    return answer;
  });
  bench.bank.plan("read", ...Array.from({ length: 9 }, () => answers(large)));
  bench.bank.plan("idempotent", ...counted);
  const runIds = await startMany(bench, "sandbox", 8);
  await bench.clock.advance(1_000);
  // All have their first answer, and two were in hands for their second call at once.
  expect(bench.bank.callsOf("read")).toHaveLength(8);
  expect(bench.bank.callsOf("idempotent")).toHaveLength(2);

  // The other environment has its own memory, and what is begun meanwhile waits behind the runs that are there.
  const [late = ""] = await startMany(bench, "sandbox", 1);
  const [live = ""] = await startMany(bench, "live", 1);
  expect(bench.bank.calls.slice(10).map(({ context }) => context.environment)).toEqual(["live", "live"]);

  for (const { answer } of slow) {
    answer({});
    await bench.clock.advance(1_000);
  }
  expect(inHands).toEqual({ now: 0, most: 2 });
  for (const runId of [...runIds, late]) expect((await bench.read(runId)).status).toBe("completed");
  expect((await bench.read(live, "live")).status).toBe("completed");
  expect(bench.bank.callsOf("read")).toHaveLength(10);
  expect(bench.bank.callsOf("idempotent")).toHaveLength(10);
});
