import type { Environment } from "@procedo/contract";
import { expect, test } from "vitest";
import { alice, createHarness, type Harness } from "./harness.ts";
import { call, procedure } from "./documents.ts";
import { answers, held, type Behaviour } from "./scripted-bank.ts";

/** About 64 MiB of memory by the estimate, so that two such answers fit and three do not. */
const large = { rows: Array.from({ length: 20 }, (_, n) => `${n}`.repeat(750_000)) };
const limits = { stepBytes: 64 * 1024 * 1024, runBytes: 512 * 1024 * 1024 };

const document = procedure([call("a", "read"), call("b", "idempotent")]);

async function startMany(harness: Harness, environment: Environment, count: number): Promise<readonly string[]> {
  const request = { procedureId: "p", version: "v1", environment, data: {}, by: alice };
  const started = await Promise.all(Array.from({ length: count }, () => harness.engine.runs.start(request)));
  await harness.clock.settle();
  return started.map(({ runId }) => runId);
}

test("runs with large answers resume together as far as memory permits; the others wait, and all end", async () => {
  const harness = await createHarness({ limits, worker: { pollMs: 60_000 } });
  await harness.publish(document);
  const slow = Array.from({ length: 10 }, () => held());
  const inHands = { now: 0, most: 0 };
  const counted = slow.map(({ behaviour }): Behaviour => async (made) => {
    const { environment } = made.context;
    if (environment === "sandbox") inHands.most = Math.max(inHands.most, (inHands.now += 1));
    const answer = await behaviour(made);
    if (environment === "sandbox") inHands.now -= 1;
    return answer;
  });
  harness.bank.plan("read", ...Array.from({ length: 9 }, () => answers(large)));
  harness.bank.plan("idempotent", ...counted);
  const runIds = await startMany(harness, "sandbox", 8);
  await harness.clock.advance(1_000);
  // Each run has its first answer, and two runs made their second call at the same time.
  expect(harness.bank.callsOf("read")).toHaveLength(8);
  expect(harness.bank.callsOf("idempotent")).toHaveLength(2);

  // The other environment has its own memory, and a later start waits behind the present runs.
  const [late = ""] = await startMany(harness, "sandbox", 1);
  const [live = ""] = await startMany(harness, "live", 1);
  expect(harness.bank.calls.slice(10).map(({ context }) => context.environment)).toEqual(["live", "live"]);

  for (const { answer } of slow) {
    answer({});
    await harness.clock.advance(1_000);
  }
  expect(inHands).toEqual({ now: 0, most: 2 });
  for (const runId of [...runIds, late]) expect((await harness.read(runId)).status).toBe("completed");
  expect((await harness.read(live, "live")).status).toBe("completed");
  expect(harness.bank.callsOf("read")).toHaveLength(10);
  expect(harness.bank.callsOf("idempotent")).toHaveLength(10);
});
