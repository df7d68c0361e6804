import { createMemoryStorage } from "@procedo/storage";
import { describe, expect, test } from "vitest";
import { createBench, type Bench } from "./bench.ts";
import { call, procedure } from "./documents.ts";
import { createPrivateBench } from "./private-bench.ts";
import { fails, hangs } from "./scripted-bank.ts";
import { createWebhookBench, receive, wasTried } from "./webhook-bench.ts";

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** A beat comes every five seconds: that is how soon a clock that was set back is noticed. */
const noticedMs = 6 * secondMs;

/** A run that waits for `waitMs` before it makes its call again. */
async function waitingFor(waitMs: number, bench: Bench): Promise<string> {
  bench.bank.plan("read", fails("busy", { retryable: true, retryAfterMs: waitMs }));
  return bench.runOf(procedure([call("a", "read")]));
}

describe("a clock that is set back by an hour", () => {
  test.each([
    ["soon after it began", 30 * secondMs, 0],
    ["soon after it began, and is long", 10 * minuteMs, secondMs],
    ["late in a wait that is longer than the hour", 5 * hourMs, 3 * hourMs],
  ])("does not make a backoff longer: %s", async (_when, waitMs, passedMs) => {
    const bench = await createBench();
    const runId = await waitingFor(waitMs, bench);
    await bench.clock.advance(passedMs);
    bench.clock.jump(-hourMs);
    await bench.clock.advance(waitMs - passedMs - 8 * secondMs);
    expect((await bench.read(runId)).status).toBe("running");
    await bench.clock.advance(8 * secondMs + noticedMs);
    expect((await bench.read(runId)).status).toBe("completed");
    expect(bench.bank.callsOf("read")).toHaveLength(2);
  });

  test("does not make a backoff longer when a restart comes with it", async () => {
    const bench = await createBench();
    const runId = await waitingFor(10 * minuteMs, bench);
    await bench.clock.advance(minuteMs);
    const stopped = bench.engine.stop({ drainMs: 0 });
    await bench.clock.advance(3 * secondMs);
    await stopped;
    bench.clock.jump(-hourMs);
    await bench.addEngine();
    await bench.clock.advance(10 * minuteMs);
    expect((await bench.read(runId)).status).toBe("completed");
  });

  test("after it was wrongly set ahead does not make longer what began in between", async () => {
    const bench = await createBench();
    bench.clock.jump(hourMs);
    await bench.clock.advance(noticedMs);
    const runId = await waitingFor(10 * minuteMs, bench);
    await bench.clock.advance(minuteMs);
    bench.clock.jump(-hourMs);
    await bench.clock.advance(9 * minuteMs + noticedMs);
    expect((await bench.read(runId)).status).toBe("completed");
  });

  test("on one of several servers, but not in the database, does not make its backoffs longer", async () => {
    const skew = { ms: 0 };
    const bench = await createBench({ openStorage: (now) => createMemoryStorage({ now: () => now() + skew.ms }) });
    const runId = await waitingFor(10 * minuteMs, bench);
    bench.clock.jump(-hourMs);
    skew.ms = hourMs;
    await bench.clock.advance(9 * minuteMs);
    expect((await bench.read(runId)).status).toBe("running");
    await bench.clock.advance(minuteMs + noticedMs);
    expect((await bench.read(runId)).status).toBe("completed");
  });

  test("by a day and more does not make a backoff longer", async () => {
    const bench = await createBench();
    const runId = await waitingFor(10 * minuteMs, bench);
    bench.clock.jump(-400 * 24 * hourMs);
    await bench.clock.advance(10 * minuteMs + noticedMs);
    expect((await bench.read(runId)).status).toBe("completed");
  });

  test("does not put off a delivery's retry", async () => {
    const bench = await createWebhookBench();
    const receiver = await receive(500);
    const webhook = await bench.subscribe(receiver.url);
    await bench.tell();
    await bench.deliveryThat(webhook, wasTried);
    await bench.clock.advance(7 * secondMs);
    // The third attempt comes after five minutes, a fifth more or less.
    let waitMs = NaN;
    await bench.deliveryThat(webhook, ({ nextAttemptAtMs = NaN }) => {
      waitMs = nextAttemptAtMs - bench.clock.now();
      return waitMs > 3 * minuteMs;
    });
    receiver.answer(200);
    bench.clock.jump(-hourMs);
    await bench.clock.advance(waitMs + 2 * noticedMs);
    await bench.deliveryThat(webhook, ({ status }) => status === "delivered");
    expect(receiver.requests).toHaveLength(3);
  });

  test("does not make a call of a private function wait longer for a client", async () => {
    const bench = await createPrivateBench();
    await bench.connect();
    const runId = await bench.call("screen", { timeoutMs: 10 * minuteMs });
    bench.clock.jump(-hourMs);
    await bench.clock.advance(10 * minuteMs + noticedMs);
    expect(await bench.read(runId)).toMatchObject({
      status: "failed",
      error: expect.stringMatching(/No client .* within 600,000 ms/),
    });
  });

  test("neither keeps a dead worker's runs from others nor its question from people", async () => {
    const bench = await createBench();
    bench.bank.plan("once", hangs());
    const runId = await bench.runOf(procedure([call("a", "once", { timeoutMs: 5 * minuteMs })]));
    bench.engine.way.cut();
    const heir = await bench.addEngine();
    bench.clock.jump(-hourMs);
    const statusOf = async () => (await heir.runs.get({ environment: "sandbox", runId })).status;
    await bench.clock.advance(30 * secondMs);
    const entries = await heir.runs.journal({ environment: "sandbox", runId });
    expect(entries.flatMap((row) => row.entries.map(({ type }) => type))).toContain("recovered");
    bench.clock.jump(-hourMs);
    await bench.clock.advance(5 * minuteMs);
    expect(await statusOf()).toBe("awaiting_review");
    const [open] = await heir.reviews.ofRun({ environment: "sandbox", runId });
    expect(open?.rules.notBeforeMs).toBeLessThanOrEqual(bench.clock.now());
  });
});
