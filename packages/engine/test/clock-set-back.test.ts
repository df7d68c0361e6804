import { createMemoryStorage } from "@procedo/storage";
import { describe, expect, test } from "vitest";
import { createHarness, type Harness } from "./harness.ts";
import { call, procedure } from "./documents.ts";
import { createPrivateHarness } from "./private-harness.ts";
import { fails, hangs } from "./scripted-bank.ts";
import { createWebhookHarness, receive, wasTried } from "./webhook-harness.ts";

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** Heartbeats are sent every five seconds, so a clock that was set back is noticed within that time. */
const noticedMs = 6 * secondMs;

/** A run that waits for `waitMs` before it repeats its call. */
async function waitingFor(waitMs: number, harness: Harness): Promise<string> {
  harness.bank.plan("read", fails("busy", { retryable: true, retryAfterMs: waitMs }));
  return harness.runOf(procedure([call("a", "read")]));
}

describe("a clock that is set back by an hour", () => {
  test.each([
    ["soon after its start", 30 * secondMs, 0],
    ["soon after the start of a long wait", 10 * minuteMs, secondMs],
    ["late in a wait that is longer than the hour", 5 * hourMs, 3 * hourMs],
  ])("does not lengthen a backoff: %s", async (_when, waitMs, passedMs) => {
    const harness = await createHarness();
    const runId = await waitingFor(waitMs, harness);
    await harness.clock.advance(passedMs);
    harness.clock.jump(-hourMs);
    await harness.clock.advance(waitMs - passedMs - 8 * secondMs);
    expect((await harness.read(runId)).status).toBe("running");
    await harness.clock.advance(8 * secondMs + noticedMs);
    expect((await harness.read(runId)).status).toBe("completed");
    expect(harness.bank.callsOf("read")).toHaveLength(2);
  });

  test("does not lengthen a backoff when a restart follows", async () => {
    const harness = await createHarness();
    const runId = await waitingFor(10 * minuteMs, harness);
    await harness.clock.advance(minuteMs);
    const stopped = harness.engine.stop({ drainMs: 0 });
    await harness.clock.advance(3 * secondMs);
    await stopped;
    harness.clock.jump(-hourMs);
    await harness.addEngine();
    await harness.clock.advance(10 * minuteMs);
    expect((await harness.read(runId)).status).toBe("completed");
  });

  test("after it was wrongly set ahead does not lengthen waits that began in between", async () => {
    const harness = await createHarness();
    harness.clock.jump(hourMs);
    await harness.clock.advance(noticedMs);
    const runId = await waitingFor(10 * minuteMs, harness);
    await harness.clock.advance(minuteMs);
    harness.clock.jump(-hourMs);
    await harness.clock.advance(9 * minuteMs + noticedMs);
    expect((await harness.read(runId)).status).toBe("completed");
  });

  test("on one of several servers, but not in the database, does not lengthen its backoffs", async () => {
    const skew = { ms: 0 };
    const harness = await createHarness({ openStorage: (now) => createMemoryStorage({ now: () => now() + skew.ms }) });
    const runId = await waitingFor(10 * minuteMs, harness);
    harness.clock.jump(-hourMs);
    skew.ms = hourMs;
    await harness.clock.advance(9 * minuteMs);
    expect((await harness.read(runId)).status).toBe("running");
    await harness.clock.advance(minuteMs + noticedMs);
    expect((await harness.read(runId)).status).toBe("completed");
  });

  test("by a day and more does not lengthen a backoff", async () => {
    const harness = await createHarness();
    const runId = await waitingFor(10 * minuteMs, harness);
    harness.clock.jump(-400 * 24 * hourMs);
    await harness.clock.advance(10 * minuteMs + noticedMs);
    expect((await harness.read(runId)).status).toBe("completed");
  });

  test("does not delay a delivery's retry", async () => {
    const harness = await createWebhookHarness();
    const receiver = await receive(500);
    const webhook = await harness.subscribe(receiver.url);
    await harness.emitEvent();
    await harness.deliveryThat(webhook, wasTried);
    await harness.clock.advance(7 * secondMs);
    // The third attempt starts after five minutes, a fifth more or less.
    let waitMs = NaN;
    await harness.deliveryThat(webhook, ({ nextAttemptAtMs = NaN }) => {
      waitMs = nextAttemptAtMs - harness.clock.now();
      return waitMs > 3 * minuteMs;
    });
    receiver.answer(200);
    harness.clock.jump(-hourMs);
    await harness.clock.advance(waitMs + 2 * noticedMs);
    await harness.deliveryThat(webhook, ({ status }) => status === "delivered");
    expect(receiver.requests).toHaveLength(3);
  });

  test("does not lengthen the wait of a private function's call for a client", async () => {
    const harness = await createPrivateHarness();
    await harness.connect();
    const runId = await harness.call("screen", { timeoutMs: 10 * minuteMs });
    harness.clock.jump(-hourMs);
    await harness.clock.advance(10 * minuteMs + noticedMs);
    expect(await harness.read(runId)).toMatchObject({
      status: "failed",
      error: expect.stringMatching(/No client .* within 600,000 ms/),
    });
  });

  test("neither delays the takeover of a dead worker's runs nor their reviews", async () => {
    const harness = await createHarness();
    harness.bank.plan("once", hangs());
    const runId = await harness.runOf(procedure([call("a", "once", { timeoutMs: 5 * minuteMs })]));
    harness.engine.way.cut();
    const successor = await harness.addEngine();
    harness.clock.jump(-hourMs);
    const statusOf = async () => (await successor.runs.get({ environment: "sandbox", runId })).status;
    await harness.clock.advance(30 * secondMs);
    const entries = await successor.runs.journal({ environment: "sandbox", runId });
    expect(entries.flatMap((row) => row.entries.map(({ type }) => type))).toContain("recovered");
    harness.clock.jump(-hourMs);
    await harness.clock.advance(5 * minuteMs);
    expect(await statusOf()).toBe("awaiting_review");
    const [open] = await successor.reviews.ofRun({ environment: "sandbox", runId });
    expect(open?.rules.notBeforeMs).toBeLessThanOrEqual(harness.clock.now());
  });
});
