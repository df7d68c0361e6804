import { describe, expect, it } from "vitest";
import type { ClaimedDelivery } from "../deliveries.ts";
import { deliveryIdOf } from "../delivery-id.ts";
import type { Storage } from "../storage.ts";
import type { Harness, ConformanceOptions } from "./harness.ts";
import { openHarness, startMs } from "./harness.ts";
import { dump } from "./dump.ts";
import { eventDedupeKey, firingIdOf } from "../firing-id.ts";
import {
  advance,
  asked,
  claim as claimFirings,
  claimOne,
  emitted,
  incoming,
  leaseMs,
  outcomes,
  put,
  returned,
  skipped,
  source,
  starting,
  take,
  trigger,
} from "./trigger-samples.ts";
import {
  commitAll,
  accepted,
  audit,
  awaiting,
  claimLimits,
  committed,
  completed,
  decision,
  event,
  firstRow,
  invokingRun,
  otherWorker,
  post,
  record,
  review,
  reservation,
  row,
  sandbox,
  session,
  version,
  waitingRun,
  worker,
  workspace,
} from "./samples.ts";

const connection = { scope: sandbox, connectionId: "connection-1" } as const;
const leaseToken = "token-1";
const sending = { workspace, limits: claimLimits(9), leaseMs: 1_000 };

/** The delivery of `event-1` to `hook-0`, as its first claim returns it. */
const sentDelivery: ClaimedDelivery = {
  scope: sandbox,
  deliveryId: deliveryIdOf("event-1", "hook-0"),
  webhookId: "hook-0",
  event: "run_completed",
  createdAtMs: startMs,
  data: event("event-1").data,
  epoch: 1,
  attempt: 1,
  manual: false,
};

/** The address of the firing of an event for `trg-1`. */
function firingOf(eventId: string, epoch: number) {
  const firingId = firingIdOf("trg-1", eventDedupeKey(source, eventId, startMs));
  return { scope: sandbox, triggerId: "trg-1", firingId, epoch };
}

/** One write of each kind, in an order in which each has an effect. */
const writes: readonly (readonly [name: string, write: (storage: Storage) => Promise<unknown>])[] = [
  [
    "publish",
    ({ procedures }) =>
      procedures.publish({ version: version("v1"), defaultIn: [], defaultIfFirst: "sandbox", audit: audit(1) }),
  ],
  ["setDefault", ({ procedures }) => procedures.setDefault({ ...version("v1"), environment: "live", audit: audit(2) })],
  [
    "put",
    ({ records }) =>
      records.put({
        record: record("hook-0", { kind: "webhook", keys: ["acme/sandbox/run_completed"] }),
        ifRevision: 0,
        audit: audit(3),
      }),
  ],
  ["heartbeat", ({ workers }) => workers.heartbeat({ workerId: worker, leaseMs: 1_000 })],
  ["create", ({ runs }) => commitAll(runs, [firstRow("run-1"), waitingRun("run-2", "review-2"), firstRow("run-3")])],
  ["append", ({ runs }) => commitAll(runs, [row("run-1", 2), row("run-3", 2)])],
  ["park", ({ runs }) => commitAll(runs, [row("run-1", 3, { openReview: review("review-1"), then: awaiting })])],
  ["post", ({ inbox }) => inbox.post([post("run-3", "news")])],
  ["decide", ({ reviews }) => reviews.decide(decision("run-1", "review-1"))],
  ["claim", ({ runs }) => runs.claim({ workspace, workerId: worker, limit: 1 })],
  ["release runs", ({ workers }) => workers.releaseRuns({ workerId: worker, runIds: ["run-3"] })],
  [
    "end",
    ({ runs }) =>
      commitAll(runs, [
        row("run-1", 4, { epoch: 2, consume: ["effect-review-1"], events: [event("event-1")], then: completed }),
      ]),
  ],
  ["claim deliveries", ({ deliveries }) => deliveries.claim(sending)],
  ["settle", ({ deliveries }) => deliveries.settle([accepted(sentDelivery)])],
  [
    "resend",
    ({ deliveries }) => deliveries.resend({ ...sentDelivery, scope: sandbox, repeatMs: 1_000, audit: audit(4) }),
  ],
  ["claim resent deliveries", ({ deliveries }) => deliveries.claim(sending)],
  [
    "skip",
    ({ deliveries }) => {
      const { scope, deliveryId } = sentDelivery;
      const error = "The webhook was inactive.";
      return deliveries.settle([{ scope, deliveryId, epoch: 2, error, next: { status: "skipped" } }]);
    },
  ],
  [
    "resend undelivered",
    ({ deliveries }) =>
      deliveries.resendUndelivered({
        scope: sandbox,
        webhookId: "hook-0",
        statuses: ["skipped"],
        sinceMs: startMs,
        limit: 9,
        repeatMs: 0,
        audit: audit(5),
      }),
  ],
  [
    "test",
    ({ deliveries }) =>
      deliveries.post({ scope: sandbox, webhookId: "hook-0", event: event("test-1"), audit: audit(6) }),
  ],
  [
    "invoke",
    ({ runs }) =>
      commitAll(
        runs,
        ["4", "5", "6"].map((number) => invokingRun(`run-${number}`, `invocation-${number}`)),
      ),
  ],
  [
    "lease",
    ({ invocations }) => invocations.lease({ ...connection, functions: ["screen"], limit: 2, leaseMs: 9, leaseToken }),
  ],
  [
    "extend",
    ({ invocations }) => {
      const leases = ["4", "5"].map((number) => ({ invocationId: `invocation-${number}`, leaseToken }));
      return invocations.extend({ ...connection, leases, leaseMs: 0 });
    },
  ],
  [
    "settle an invocation",
    ({ invocations }) =>
      invocations.settle({ ...connection, invocationId: "invocation-4", leaseToken, body: '{"ok":1}' }),
  ],
  ["expire leases", ({ invocations }) => invocations.expireLeases({ workspace, limit: 9, body: "{}" })],
  [
    "lease with the commit",
    ({ runs }) => commitAll(runs, [invokingRun("run-7", "invocation-7", { lease: { leaseToken, leaseMs: 1_000 } })]),
  ],
  [
    "withdraw",
    ({ invocations }) => invocations.withdraw({ scope: sandbox, runId: "run-6", effectKey: "effect-invocation-6" }),
  ],
  ["reserve", ({ budgets }) => budgets.reserve(reservation("key-1", { runId: "run-5" }))],
  ["reserve more", ({ budgets }) => budgets.reserve(reservation("key-2", { runId: "run-5" }))],
  [
    "settle a reservation",
    ({ runs }) => commitAll(runs, [row("run-5", 2, { settle: [{ key: "key-1", spent: "nothing" }], then: awaiting })]),
  ],
  [
    "record a client",
    ({ invocations }) => invocations.recordClient({ ...connection, manifest: "manifest-1", clientId: "client-1" }),
  ],
  ["create sessions", ({ sessions }) => Promise.all(["1", "2", "3"].map((id) => sessions.create(session(id))))],
  [
    "touch",
    ({ sessions }) => sessions.touch({ digest: "digest-1", seenAtMs: startMs + 1, idleEndsAtMs: startMs + 2_000 }),
  ],
  ["end a session", ({ sessions }) => sessions.end({ workspace, personId: "per-1", sessionId: "2" })],
  ["end sessions", ({ sessions }) => sessions.endOf({ workspace, personId: "per-1", exceptSessionId: "1" })],
  ["note a failure", ({ sessions }) => sessions.noteFailure({ key: "key-0", atMs: startMs })],
  ["release", ({ workers }) => workers.release({ workerId: worker })],
  ["remove", ({ records }) => records.remove({ workspace: "acme", kind: "webhook", id: "hook-0", audit: audit(7) })],
  [
    "put a trigger",
    (storage) => put(storage, trigger("trg-1", { schedule: { accountedAtMs: startMs, dueAtMs: startMs } })),
  ],
  [
    "take",
    (storage) =>
      take(
        storage,
        ["evt-1", "evt-2", "evt-3"].map((id) => incoming(id)),
      ),
  ],
  ["take again", (storage) => take(storage, [incoming("evt-1"), incoming("evt-4", { skip: "too_old" })])],
  [
    "advance",
    ({ triggers }) => {
      const next = { accountedAtMs: startMs, dueAtMs: startMs + 60 };
      const firings = [{ scheduledAtMs: startMs }];
      return triggers.advance([advance("trg-1", { dueAtMs: startMs, firings, next })]);
    },
  ],
  ["claim firings", (storage) => claimFirings(storage, { limit: 3 })],
  ["start a firing", ({ runs }) => runs.commit(starting(firingOf("evt-1", 1), "run-8", completed))],
  [
    "settle firings",
    ({ triggers }) => triggers.settle([skipped(firingOf("evt-2", 1)), returned(firingOf("evt-3", 1), 5)]),
  ],
  ["hold a trigger", (storage) => put(storage, trigger("trg-1", { isHeld: true, schedule: "kept" }))],
  ["hold firings back", (storage) => claimFirings(storage)],
  ["emit", ({ runs }) => runs.commit(firstRow("run-9", { events: [emitted("event-9")] }))],
  [
    "add firings",
    ({ triggers }) => triggers.add({ scope: sandbox, triggerId: "trg-1", firings: [asked("a"), asked("b")] }),
  ],
  ["end a pending firing", ({ triggers }) => triggers.endPending({ scope: sandbox, reason: "restored", limit: 1 })],
  [
    "remove expired firings",
    // The clock stands still, so that everything has the age 0.
    ({ triggers }) =>
      triggers.removeExpired({ scope: sandbox, contentsOlderThanMs: -1, firingsOlderThanMs: -1, limit: 1 }),
  ],
  ["remove a trigger", ({ records }) => records.remove({ workspace: "acme", kind: "trigger", id: "trg-1" })],
];

/** Only for adapters that can be reopened. */
export function describeDurability(options: ConformanceOptions): void {
  const { reopen } = options;
  if (reopen === undefined) return;

  describe("durability", () => {
    async function withHarness(work: (harness: Harness) => Promise<void>): Promise<void> {
      const harness = await openHarness(options);
      try {
        await work(harness);
      } finally {
        await harness.storage.close();
      }
    }

    it("keeps each write through a crash that follows it, and answers the next ones as without a crash", async () => {
      const answers: unknown[][] = [[], []];
      await withHarness(async (harness) => {
        for (const [name, write] of writes) {
          answers[0]?.push([name, await write(harness.storage)]);
          const acknowledged = await dump(harness.storage);
          await harness.reopen();
          expect(await dump(harness.storage), name).toEqual(acknowledged);
        }
      });
      await withHarness(async (harness) => {
        for (const [name, write] of writes) answers[1]?.push([name, await write(harness.storage)]);
      });
      expect(answers[0]).toEqual(answers[1]);
    });

    it.each([4, 11])("keeps all writes through a crash after each %i of them", async (distance) => {
      await withHarness(async (harness) => {
        for (const [index, [name, write]] of writes.entries()) {
          await write(harness.storage);
          if (index % distance !== distance - 1 && index < writes.length - 1) continue;
          const acknowledged = await dump(harness.storage);
          await harness.reopen();
          expect(await dump(harness.storage), name).toEqual(acknowledged);
        }
      });
    });

    it("keeps timers, leases and waiting runs after a restart", async () => {
      await withHarness(async (harness) => {
        const { clock } = harness;
        await harness.storage.workers.heartbeat({ workerId: worker, leaseMs: 1_000 });
        await commitAll(harness.storage.runs, [
          firstRow("held"),
          firstRow("timer", { then: { kind: "parked", status: "running", wakeAtMs: clock.now() + 500 } }),
          firstRow("news", { then: awaiting }),
        ]);
        await harness.storage.inbox.post([post("news", "a")]);
        await harness.reopen();
        const claim = async (): Promise<readonly string[]> =>
          (await harness.storage.runs.claim({ workspace, workerId: otherWorker, limit: 9 })).runs.map(
            ({ runId }) => runId,
          );
        await harness.storage.workers.heartbeat({ workerId: otherWorker, leaseMs: 60_000 });
        expect(await claim()).toEqual(["news"]);
        clock.advance(500);
        expect(await claim()).toEqual(["timer"]);
        clock.advance(500);
        expect(await claim()).toEqual(["held"]);
      });
    });

    it("keeps a delivery whose sender died between claim and settle, and counts its attempt", async () => {
      await withHarness(async (harness) => {
        const hook = record("hook-0", { kind: "webhook", keys: ["acme/sandbox/run_completed"] });
        await harness.storage.records.put({ record: hook, ifRevision: 0 });
        await harness.storage.runs.commit(firstRow("run-1", { events: [event("event-1")] }));
        const claim = () => harness.storage.deliveries.claim(sending);
        expect((await claim()).deliveries).toEqual([sentDelivery]);
        await harness.reopen();
        expect(await claim()).toEqual({ deliveries: [], nextDueAtMs: startMs + 1_000 });
        harness.clock.advance(1_000);
        const [again] = (await claim()).deliveries;
        expect(again).toEqual({ ...sentDelivery, epoch: 2, attempt: 2 });
        await harness.reopen();
        expect(await harness.storage.deliveries.settle([accepted(sentDelivery)])).toEqual([{ status: "fenced" }]);
        if (again !== undefined) await harness.storage.deliveries.settle([accepted(again)]);
        await harness.reopen();
        const { items } = await harness.storage.deliveries.list({ scope: sandbox, webhookId: "hook-0", limit: 9 });
        expect(items).toMatchObject([{ status: "delivered", attemptCount: 2 }]);
      });
    });

    it("keeps a firing whose worker died between claim and start, and starts one run of it", async () => {
      await withHarness(async (harness) => {
        await put(harness.storage, trigger("trg-1"));
        await take(harness.storage, [incoming("evt-1")]);
        await harness.reopen();
        expect(await take(harness.storage, [incoming("evt-1")])).toEqual([{ status: "known" }]);
        const late = await claimOne(harness.storage);
        await harness.reopen();
        expect(await claimFirings(harness.storage)).toMatchObject({ firings: [], nextDueAtMs: startMs + leaseMs });
        harness.clock.advance(leaseMs);
        const owned = await claimOne(harness.storage);
        await harness.reopen();
        expect(await harness.storage.runs.commit(starting(late, "run-1"))).toEqual({ status: "fenced" });
        expect(await harness.storage.runs.commit(starting(owned, "run-2"))).toEqual(committed);
        await harness.reopen();
        expect(await harness.storage.runs.commit(starting(owned, "run-2"))).toEqual(committed);
        expect(await harness.storage.runs.commit(starting(owned, "run-3"))).toEqual({ status: "fenced" });
        expect(await outcomes(harness.storage, "trg-1")).toEqual(["evt-1: started"]);
        expect((await harness.storage.runs.list({ scope: sandbox, limit: 9 })).items).toHaveLength(1);
      });
    });

    it("answers a repeated commit whose first answer was lost as committed", async () => {
      await withHarness(async (harness) => {
        const items = [firstRow("run-1"), waitingRun("run-2", "review-2")];
        await commitAll(harness.storage.runs, items);
        await harness.reopen();
        expect(await commitAll(harness.storage.runs, items)).toEqual([committed, committed]);
        expect(await harness.storage.reviews.ofRun({ scope: sandbox, runId: "run-2" })).toHaveLength(1);
      });
    });
  });
}
