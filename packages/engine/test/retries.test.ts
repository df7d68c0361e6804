import { describe, expect, test } from "vitest";
import { createHarness, type Harness } from "./harness.ts";
import { call, procedure } from "./documents.ts";
import { answers, answersAfter, breaks, fails, hangs, type BankAction, type Behaviour } from "./scripted-bank.ts";

/** Waits between the attempts that reached the bank, in milliseconds. */
function gaps(harness: Harness): readonly number[] {
  return harness.bank.calls.slice(1).map(({ atMs }, index) => atMs - (harness.bank.calls[index]?.atMs ?? 0));
}

async function runCall(
  action: BankAction,
  behaviours: readonly Behaviour[],
  settings: Parameters<typeof call>[2] = {},
) {
  const harness = await createHarness();
  harness.bank.plan(action, ...behaviours);
  const runId = await harness.runOf(procedure([call("a", action, settings)]));
  await harness.clock.advance(400_000);
  return { harness, runId, run: await harness.read(runId) };
}

const times = (count: number, behaviour: Behaviour): readonly Behaviour[] =>
  Array.from({ length: count }, () => behaviour);

describe("a failed call", () => {
  test.each<[string, BankAction, Behaviour, number, string]>([
    ["a read with an exception", "read", breaks(), 4, "failed"],
    ["an idempotent call with an exception", "idempotent", breaks(), 4, "awaiting_review"],
    ["a once call with an exception", "once", breaks(), 1, "awaiting_review"],
    ["a read that was not sent", "read", fails("no", { outcome: "not_sent" }), 4, "failed"],
    ["an idempotent call that was not sent", "idempotent", fails("no", { outcome: "not_sent" }), 4, "failed"],
    ["a once call that certainly was not sent", "once", fails("no", { outcome: "not_sent" }), 4, "failed"],
    ["a read that was refused", "read", fails("no"), 1, "failed"],
    ["a once call that was refused", "once", fails("no"), 1, "failed"],
    ["a once call that was temporarily refused", "once", fails("busy", { retryable: true }), 4, "failed"],
    [
      "a once call that may have been made, as its action reports",
      "once",
      fails("?", { outcome: "unknown" }),
      1,
      "awaiting_review",
    ],
    [
      "an idempotent call that may have been made",
      "idempotent",
      fails("?", { outcome: "unknown" }),
      4,
      "awaiting_review",
    ],
    ["a read that may have been made", "read", fails("?", { outcome: "unknown" }), 4, "failed"],
    ["a read that hangs", "read", hangs(), 4, "failed"],
    ["a once call that hangs", "once", hangs(), 1, "awaiting_review"],
    [
      "a once call whose own client had its connection refused",
      "once",
      systemError("ECONNREFUSED"),
      1,
      "awaiting_review",
    ],
    ["a once call whose connection was reset", "once", systemError("ECONNRESET"), 1, "awaiting_review"],
    ["a read with an invalid output", "read", answers({ at: 1n }), 1, "failed"],
    ["a once call with an invalid output", "pay", answers({ id: 5 }), 1, "awaiting_review"],
    [
      "a once call with an unreadable answer",
      "once",
      answers({
        get x(): never {
          throw new Error("getter");
        },
      }),
      1,
      "awaiting_review",
    ],
    ["a once call with an endless answer", "once", answers(endless()), 1, "awaiting_review"],
  ])("%s", async (_name, action, behaviour, attempts, status) => {
    const settings = action === "pay" ? { arguments: { to: "x", amount: 1 } } : {};
    const { harness, run } = await runCall(action, times(8, behaviour), settings);
    expect(harness.bank.calls).toHaveLength(attempts);
    expect(run.status).toBe(status);
    expect(run.steps[1]?.attempts).toHaveLength(attempts);
    expect(new Set(harness.bank.calls.map(({ context }) => context.idempotencyKey)).size).toBe(1);
    expect(harness.bank.calls.map(({ context }) => context.attempt)).toEqual(
      harness.bank.calls.map((_call, index) => index + 1),
    );
  });

  test("is not repeated after an attempt that succeeds", async () => {
    const { harness, run } = await runCall("read", [breaks(), breaks(), answers({ ok: true })]);
    expect(run.status).toBe("completed");
    expect(harness.bank.calls).toHaveLength(3);
    expect(run.steps[1]).toMatchObject({
      status: "completed",
      output: { ok: true },
      attempts: [{ outcome: "error" }, { outcome: "error" }, { outcome: "ok" }],
    });
  });

  test("has the same arguments in every attempt, even if an attempt changed its copy", async () => {
    const spoil: Behaviour = ({ args }) => {
      (args as { list: number[] }).list.push(99);
      throw new Error("broke");
    };
    const seen: string[] = [];
    const look: Behaviour = ({ args }) => {
      seen.push(JSON.stringify(args));
      return {};
    };
    await runCall("read", [spoil, look], { arguments: { list: [1] } });
    expect(seen).toEqual(['{"list":[1]}']);
  });

  test("follows the node's own policy", async () => {
    const { harness } = await runCall("read", times(9, breaks()), {
      retry: { maxAttempts: 6, initialDelayMs: 100, maxDelayMs: 400 },
    });
    expect(harness.bank.calls).toHaveLength(6);
    for (const gap of gaps(harness)) expect(gap).toBeLessThanOrEqual(400);
  });

  test("with effect once and onUnknownOutcome retry is repeated with the same key, by the retry policy, and then reviewed", async () => {
    const { harness, run } = await runCall("once", times(9, breaks()), { onUnknownOutcome: "retry" });
    expect(harness.bank.calls).toHaveLength(4);
    expect(new Set(harness.bank.calls.map(({ context }) => context.idempotencyKey)).size).toBe(1);
    expect(gaps(harness).every((gap) => gap >= 500)).toBe(true);
    expect(run.status).toBe("awaiting_review");
  });

  test("with onUnknownOutcome fail ends the run, and its error states the uncertainty", async () => {
    const { harness, run } = await runCall("once", [breaks("reset by peer")], { onUnknownOutcome: "fail" });
    expect(harness.bank.calls).toHaveLength(1);
    expect(run).toMatchObject({ status: "failed", error: expect.stringContaining("reset by peer") as string });
  });
});

describe("the delay before a retry", () => {
  test("doubles from 1 s to 30 s, of which at most half is random", async () => {
    const { harness } = await runCall("read", times(9, breaks()), { retry: { maxAttempts: 8 } });
    const full = [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000];
    expect(gaps(harness)).toHaveLength(full.length);
    for (const [index, gap] of gaps(harness).entries()) {
      expect(gap).toBeGreaterThanOrEqual((full[index] ?? 0) / 2);
      expect(gap).toBeLessThanOrEqual(full[index] ?? 0);
    }
  });

  test("differs between runs that fail together", async () => {
    const harness = await createHarness();
    harness.bank.plan("read", ...times(20, breaks()));
    await harness.publish(procedure([call("a", "read")]));
    for (let count = 0; count < 20; count++) await harness.run();
    await harness.clock.advance(1_000);
    const second = harness.bank.calls.slice(20).map(({ atMs }) => atMs);
    expect(new Set(second).size).toBeGreaterThan(10);
  });

  test("follows a Retry-After that is longer than the own delay", async () => {
    const { harness } = await runCall("read", [fails("slow down", { retryable: true, retryAfterMs: 12_345 })]);
    expect(gaps(harness)).toEqual([12_345]);
  });

  test.each([0, -5, NaN])("ignores a Retry-After of %s", async (retryAfterMs) => {
    const { harness, run } = await runCall("read", [fails("slow down", { retryable: true, retryAfterMs })]);
    expect(gaps(harness)[0]).toBeGreaterThanOrEqual(500);
    expect(gaps(harness)[0]).toBeLessThanOrEqual(1_000);
    expect(run.status).toBe("completed");
  });

  test.each([Infinity, 1e15])("follows a Retry-After of %s for a day at most", async (retryAfterMs) => {
    const harness = await createHarness();
    harness.bank.plan("read", fails("slow down", { retryable: true, retryAfterMs }));
    const runId = await harness.runOf(procedure([call("a", "read")]));
    await harness.clock.advance(86_400_000);
    expect(gaps(harness)).toEqual([86_400_000]);
    expect((await harness.read(runId)).status).toBe("completed");
  });

  test("leaves its run without an owner until then", async () => {
    const harness = await createHarness();
    harness.bank.plan("read", fails("slow down", { retryable: true, retryAfterMs: 60_000 }));
    const runId = await harness.runOf(procedure([call("a", "read")]));
    await harness.engine.stop({ drainMs: 0 });
    const other = await harness.addEngine();
    await harness.clock.advance(60_000);
    expect((await other.runs.get({ environment: "sandbox", runId })).status).toBe("completed");
    expect(harness.bank.calls).toHaveLength(2);
  });
});

describe("deadlines", () => {
  test("an action's own timeout applies, and the node's before it", async () => {
    const harness = await createHarness({ bank: { timeoutMs: 2_000 } });
    harness.bank.plan("once", hangs(), hangs());
    const own = await harness.runOf(procedure([call("a", "once")]));
    await harness.clock.advance(2_100);
    expect((await harness.read(own)).status).toBe("awaiting_review");
    const node = await harness.runOf(procedure([call("a", "once", { timeoutMs: 5_000 })], { procedureId: "q" }));
    await harness.clock.advance(4_900);
    expect((await harness.read(node)).status).toBe("running");
    await harness.clock.advance(300);
    expect((await harness.read(node)).status).toBe("awaiting_review");
  });

  test("at the deadline the action's signal aborts, and the outcome that it then reports counts", async () => {
    const harness = await createHarness();
    harness.bank.plan("once", async ({ context: { signal } }) => {
      await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
      await fails("still in the queue", { outcome: "not_sent" })(undefined as never);
    });
    const runId = await harness.runOf(procedure([call("a", "once", { timeoutMs: 1_000 })]));
    await harness.clock.advance(10_000);
    expect(harness.bank.calls).toHaveLength(2);
    expect((await harness.read(runId)).status).toBe("completed");
  });

  test("an answer after the deadline of a read does not affect the next attempt", async () => {
    const harness = await createHarness();
    harness.bank.plan(
      "read",
      answersAfter(harness.clock, 3_000, { id: "late" }),
      answersAfter(harness.clock, 500, { id: "second" }),
    );
    const runId = await harness.runOf(
      procedure([call("a", "read", { timeoutMs: 1_000 })], { output: { id: "{{ nodes.a.output.id }}" } }),
    );
    await harness.clock.advance(20_000);
    expect(await harness.read(runId)).toMatchObject({ status: "completed", output: { id: "second" } });
  });

  test("a call whose intent became durable too late is not sent, and retried without a review", async () => {
    const harness = await createHarness();
    let slow = true;
    harness.engine.way.on("runs.commit", async (work) => {
      const result = await work();
      if (slow) {
        slow = false;
        await new Promise<void>((resolve) => void harness.clock.after(6_000, resolve));
      }
      return result;
    });
    await harness.publish(procedure([call("a", "once")]));
    const start = harness.engine.runs.start({
      procedureId: "p",
      environment: "sandbox",
      data: {},
      by: { person: "alice" },
    });
    await harness.clock.advance(6_000);
    const { runId } = await start;
    expect(harness.bank.calls).toEqual([]);
    await harness.clock.advance(2_000);
    expect(harness.bank.calls).toHaveLength(1);
    const { status, steps } = await harness.read(runId);
    expect(status).toBe("completed");
    expect(steps[1]?.attempts).toMatchObject([
      { outcome: "not_started", message: "The call was not sent in time." },
      { outcome: "ok" },
    ]);
  });
});

function systemError(code: string): Behaviour {
  return () => {
    throw new TypeError("fetch failed", { cause: Object.assign(new Error("connect"), { code }) });
  };
}

function endless(): object {
  return {
    toJSON() {
      return this;
    },
  };
}
