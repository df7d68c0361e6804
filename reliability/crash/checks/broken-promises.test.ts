import type { Entry, Intent } from "@procedo/procedure";
import { describe, expect, test } from "vitest";
import type { Evidence, TracedRun } from "../evidence.ts";
import { acknowledged } from "./acknowledged.ts";
import { deliveries } from "./deliveries.ts";
import { effects } from "./effects.ts";
import { ends } from "./ends.ts";
import { createFinalRuns } from "./final-runs.ts";
import { journals } from "./journals.ts";
import { reviews } from "./reviews.ts";
import { secrets } from "./secrets.ts";

const intent: Intent = {
  type: "intent",
  atMs: 1,
  nodeId: "pay",
  visit: 1,
  call: 1,
  attempt: 1,
  key: "key_1",
  frozen: {
    connection: "bank",
    connectionId: "con_1",
    action: "pay_once",
    revision: "r",
    effect: "once",
    args: { amount: 1 },
  },
  sendByMs: 2,
  timeoutMs: 1,
};
const paid: Entry = { ...place(intent), type: "outcome", result: { status: "ok", output: {} } };
const notSent: Entry = {
  ...place(intent),
  type: "outcome",
  result: { status: "error", error: { message: "The call was not sent in time." } },
  retryAtMs: 2,
};
const ended: Entry = { type: "ended", atMs: 3, nodeId: "done", result: { status: "completed", output: {} } };
const made = { key: "key_1", requests: 1, executions: 1, bodies: ['{"amount":1}'], paymentIds: ["pay_1"] };

function place({ atMs, nodeId, visit, call, attempt }: Intent) {
  return { atMs, nodeId, visit, call, attempt };
}

/** A run that paid once and completed; `entries` replaces its journal. */
function run(entries: readonly Entry[] = [intent, paid, ended], stored: Partial<TracedRun["stored"]> = {}): TracedRun {
  const row = {
    runId: "run_1",
    status: "completed",
    epoch: 1,
    workerId: null,
    error: null,
    ended: true,
    unread: 0,
    cancelled: false,
  };
  const cursor = { at: "ended", result: { status: "completed", output: {} } };
  return {
    stored: { ...row, journal: [{ seq: 1, hash: "h", body: "[]" }], ...stored },
    entries: entries.map((entry) => ({ seq: 1, entry })),
    state: { input: { n: 1, shape: "plain" }, cursor } as unknown as TracedRun["state"],
    broken: undefined,
  };
}

/** Evidence in which every promise holds; `change` breaks one. */
function evidence(
  change: Partial<Omit<Evidence, "database">> & { database?: Partial<Evidence["database"]> } = {},
): Evidence {
  const { database, ...rest } = change;
  const event = { runId: "run_1", eventId: "evt_1", event: "run_completed" };
  return {
    database: {
      runs: [],
      reviews: [],
      decisions: [],
      deliveries: [event],
      keys: new Map([["start-1", "run_1"]]),
      integrity: "ok",
      ...database,
    },
    runs: [run()],
    effects: [made],
    effectsAfter: [made],
    starts: [{ key: "start-1", input: { n: 1, shape: "plain" }, runId: "run_1", cancel: undefined }],
    decisions: [],
    ledgerToken: "secret",
    ...rest,
  };
}

const checks = { acknowledged, journals, effects, reviews, deliveries, secrets, ends };

test.each(Object.entries(checks))("%s finds nothing where every promise holds", (_name, check) => {
  expect(check(evidence())).toEqual([]);
});

test("an attempt that was not started says nothing about the effect of the one before it", () => {
  const first: Intent = { ...intent, frozen: { ...intent.frozen, effect: "idempotent" } };
  const again = { ...first, attempt: 2 };
  const inDoubt: Entry = { ...paid, result: { status: "unknown", reason: "cut" }, retryAtMs: 2 };
  const stopped = { status: "error", error: { message: "The worker was stopped.", code: "not_started" } } as const;
  const notStarted: Entry = { ...place(again), type: "outcome", result: stopped, retryAtMs: 3 };
  const cancelled: Entry = { type: "ended", atMs: 4, nodeId: "pay", result: { status: "failed", error: "Cancelled." } };
  expect(effects(evidence({ runs: [run([first, inDoubt, again, notStarted, cancelled])] }))).toEqual([]);
});

describe("a broken promise is found", () => {
  test.each<[string, keyof typeof checks, Evidence]>([
    ["an acknowledged start that is gone", "acknowledged", evidence({ runs: [], database: { keys: new Map() } })],
    ["one start that made two runs", "acknowledged", evidence({ runs: [run(), run(undefined, { runId: "run_2" })] })],
    [
      "an acknowledged decision that is gone",
      "acknowledged",
      evidence({
        decisions: [
          {
            idempotencyKey: "d",
            runId: "run_1",
            reviewId: "rev_1",
            reviewDigest: "x",
            approved: true,
            acknowledged: true,
          },
        ],
      }),
    ],
    [
      "an acknowledged cancel that is gone",
      "acknowledged",
      evidence({
        starts: [{ key: "start-1", input: { n: 1, shape: "cancel" }, runId: "run_1", cancel: "acknowledged" }],
      }),
    ],
    ["a damaged file", "journals", evidence({ database: { integrity: "row missing from index" } })],
    ["a broken chain", "journals", evidence({ runs: [{ ...run(), broken: "row 2 breaks the chain" }] })],
    [
      "a stored state that is not the journal's",
      "journals",
      evidence({ runs: [run(undefined, { status: "failed" })] }),
    ],
    ["two results of one attempt", "journals", evidence({ runs: [run([intent, paid, paid, ended])] })],
    [
      "an epoch that goes back",
      "journals",
      evidence({ runs: [run([{ type: "recovered", atMs: 1, workerId: "w", epoch: 1 }, intent, paid, ended])] }),
    ],
    ["money that moved twice", "effects", evidence({ effects: [{ ...made, executions: 2 }] })],
    ["a request without an intent", "effects", evidence({ effects: [{ ...made, requests: 2 }] })],
    [
      "a request of an attempt that is recorded as not sent",
      "effects",
      evidence({
        runs: [run([intent, notSent, { ...intent, attempt: 2 }, { ...paid, attempt: 2 }, ended])],
        effects: [{ ...made, requests: 2 }],
      }),
    ],
    ["a key that no journal knows", "effects", evidence({ effects: [made, { ...made, key: "key_2" }] })],
    ["another body than was frozen", "effects", evidence({ effects: [{ ...made, bodies: ['{"amount":2}'] }] })],
    ["a payment that was never made", "effects", evidence({ effectsAfter: [] })],
    [
      "a once call that was repeated without a person's decision",
      "effects",
      evidence({ runs: [run([intent, { ...intent, attempt: 2 }, { ...paid, attempt: 2 }, ended])] }),
    ],
    [
      "a payment that the run believes to have failed",
      "effects",
      evidence({
        runs: [run([intent, { ...paid, result: { status: "error", error: { message: "no" } } }, ended])],
      }),
    ],
    [
      "a payment that the run believes not to have been begun",
      "effects",
      evidence({
        runs: [
          run([
            intent,
            { ...paid, result: { status: "error", error: { message: "stopped", code: "not_started" } }, retryAtMs: 2 },
            ended,
          ]),
        ],
      }),
    ],
    [
      "a decided review that the run never received",
      "reviews",
      evidence({
        database: { reviews: [{ reviewId: "rev_1", runId: "run_1", status: "approved", effectKey: "review:rev_1" }] },
      }),
    ],
    [
      "an answer that was folded in twice",
      "reviews",
      evidence({
        database: { reviews: [{ reviewId: "rev_1", runId: "run_1", status: "expired", effectKey: "review:rev_1" }] },
        runs: [
          run(
            [1, 2].map((atMs) => ({
              type: "review_closed",
              atMs,
              reviewId: "rev_1",
              answer: { status: "expired", decisions: [] },
            })),
          ),
        ],
      }),
    ],
    ["an event without a delivery", "deliveries", evidence({ database: { deliveries: [] } })],
    [
      "an event with two deliveries",
      "deliveries",
      evidence({
        database: {
          deliveries: ["evt_1", "evt_1"].map((eventId) => ({ runId: "run_1", eventId, event: "run_completed" })),
        },
      }),
    ],
    [
      "a secret in a journal",
      "secrets",
      evidence({ runs: [run(undefined, { journal: [{ seq: 1, hash: "h", body: "secret" }] })] }),
    ],
    ["a run that never ends", "ends", evidence({ runs: [run(undefined, { ended: false, status: "running" })] })],
    ["a run that failed without a reason", "ends", evidence({ runs: [run(undefined, { status: "failed" })] })],
    ["a notification that was never read", "ends", evidence({ runs: [run(undefined, { unread: 1 })] })],
    ["a cancellation that the run never received", "ends", evidence({ runs: [run(undefined, { cancelled: true })] })],
    ["a start that made no run", "ends", evidence({ runs: [] })],
  ])("%s", (_what, name, broken) => {
    expect(checks[name](broken)).not.toEqual([]);
  });

  test("a run that changes after its end", () => {
    const finalRuns = createFinalRuns();
    expect(finalRuns.check([run()])).toEqual([]);
    expect(finalRuns.check([run()])).toEqual([]);
    expect(finalRuns.check([run(undefined, { error: "changed" })])).toHaveLength(1);
    expect(createFinalRuns().check([])).toEqual([]);
  });
});

describe("a call that failed as often as its policy allows", () => {
  const lookUp: Intent = { ...intent, nodeId: "vendor", key: "key_0", frozen: { ...intent.frozen, effect: "read" } };
  const error = { status: "error", error: { message: "There was no answer." } } as const;

  /** A run whose lookup failed in all `attempts`; the first `notStarted` of them were not started. */
  function failed(attempts: number, notStarted = 0, of: Partial<Entry> = {}): TracedRun {
    const tries = Array.from({ length: attempts }, (_, index): readonly Entry[] => {
      const attempt = index + 1;
      const result =
        attempt <= notStarted ? { ...error, error: { ...error.error, code: "not_started" as const } } : error;
      const outcome = { ...place({ ...lookUp, attempt }), type: "outcome", result } as const;
      return [{ ...lookUp, attempt }, attempt < attempts ? { ...outcome, retryAtMs: 2 } : outcome];
    });
    const result = { status: "failed", error: "There was no answer." } as const;
    const end = { type: "ended", atMs: 3, nodeId: "vendor", result, ...of } as Entry;
    return run([...tries.flat(), end], { status: "failed", error: "There was no answer." });
  }

  test.each<[string, TracedRun, boolean]>([
    ["has failed its run if all attempts are recorded", failed(20), true],
    ["has failed its run if further attempts were not started", failed(23, 3), true],
    ["has not failed its run if it was made less often", failed(19), false],
    ["has not failed its run if some of its attempts were not started", failed(20, 1), false],
    ["has not failed its run if the run failed at another node", failed(20, 0, { nodeId: "pay" }), false],
    [
      "has not failed its run if the run failed for another reason",
      failed(20, 0, { result: { status: "failed", error: "Hm." } }),
      false,
    ],
  ])("%s", (_what, broken, isAccepted) => {
    const found = ends(evidence({ runs: [broken] }));
    expect(found).toHaveLength(isAccepted ? 0 : 1);
  });
});
