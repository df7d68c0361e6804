import { openTestDatabase } from "@procedo-testing/postgres";
import type { NewDecision, Scope } from "@procedo/storage";
import pg from "pg";
import { expect, it, onTestFinished } from "vitest";
import { PostgresStorage } from "../src/index.ts";
import { commitAll } from "./run-rows.ts";
import { fireAndClaim, triggerPlans } from "./trigger-plans.ts";

const scope: Scope = { workspace: "acme", environment: "live" };
const decision: NewDecision = {
  scope,
  runId: "run-1",
  reviewId: "review-1",
  decisionId: "decision-1",
  person: "ada",
  approved: true,
  idempotencyKey: "key-1",
  body: "{}",
  approvalsNeeded: 1,
  atMs: 1,
};
const audit = { seq: 1, hash: "hash-1", body: "{}" };
const shown = { nodeId: "approve", kind: "human_review", title: "Pay?", body: "{}", digest: "digest-1" };
const answer = { url: "https://receiver.test", atMs: 1, tookMs: 1, responseCode: 200, failure: undefined };

/** By statement: the indexes of its plan, when it was planned while all tables were empty. */
const expected = {
  "reviews-get": ["decisions_pkey", "reviews_pkey", "runs_pkey"],
  "reviews-open-of": ["one_open_review_of_run"],
  "reviews-of-run": ["decisions_pkey", "reviews_of_run", "runs_pkey"],
  "reviews-list-open": ["decisions_pkey", "reviews_open", "runs_pkey"],
  "reviews-list-open-filtered": ["decisions_pkey", "reviews_open", "runs_pkey"],
  "reviews-list-any-filtered": ["decisions_pkey", "reviews_by_time", "runs_pkey"],
  "reviews-list-expiring": ["decisions_pkey", "reviews_expiring", "reviews_open", "runs_pkey"],
  "runs-search-id": ["run_triggers_pkey", "runs_pkey"],
  "runs-search-reference": ["run_triggers_pkey", "runs_by_reference"],
  "reviews-search-id": ["decisions_pkey", "reviews_of_run", "reviews_pkey", "runs_pkey"],
  "reviews-search-reference": ["decisions_pkey", "reviews_by_reference", "runs_pkey"],
  "runs-list-any": ["run_triggers_pkey", "runs_by_time"],
  "runs-list-any-filtered": ["run_triggers_pkey", "runs_by_time"],
  "runs-list-any-of-procedure-filtered": ["run_triggers_pkey", "runs_by_procedure"],
  "runs-list-completed-failed-filtered": ["run_triggers_pkey", "runs_by_time"],
  "runs-list-awaiting_review-failed": ["run_triggers_pkey", "runs_awaiting_review", "runs_failed"],
  "runs-list-awaiting_review-failed-fil": ["run_triggers_pkey", "runs_awaiting_review", "runs_failed"],
  "audit-list-newest": ["audit_pkey"],
  "runs-tally": ["runs_awaiting_review", "runs_by_procedure", "runs_failed", "runs_running"],
  "reviews-tally": ["reviews_open"],
  "decide-lock": ["runs_pkey"],
  "decide-read": [
    "decisions_pkey",
    "decisions_workspace_environment_idempotency_key_key",
    "inbox_pkey",
    "reviews_pkey",
    "runs_pkey",
  ],
  "decide-and-continue": [
    "decisions_workspace_environment_idempotency_key_key",
    "journal_pkey",
    "reviews_pkey",
    "runs_pkey",
  ],
  "deliveries-claim": ["delivery_queue_claimed", "delivery_queue_due", "delivery_queue_pkey"],
  "deliveries-read-claimed": ["deliveries_pkey", "delivery_queue_pkey", "payloads_pkey"],
  "deliveries-lock": ["deliveries_pkey", "delivery_queue_pkey"],
  "deliveries-settle": ["deliveries_pkey", "delivery_queue_pkey"],
  "deliveries-get": ["deliveries_pkey", "delivery_queue_pkey", "payloads_pkey"],
  "deliveries-make-due": ["deliveries_pkey", "delivery_queue_pkey"],
  "deliveries-pending": ["delivery_queue_due"],
  "deliveries-queued": ["delivery_queue_pkey"],
  "deliveries-end-pending": ["deliveries_pkey", "delivery_queue_pkey"],
  "deliveries-list": ["deliveries_by_time", "delivery_queue_pkey", "payloads_pkey"],
  "deliveries-list-filtered": ["deliveries_by_time", "deliveries_pkey", "delivery_queue_pkey", "payloads_pkey"],
  "deliveries-undelivered-page": ["deliveries_by_time"],
  "deliveries-undelivered": ["deliveries_pkey"],
  "deliveries-restart": ["deliveries_pkey"],
  "deliveries-attempts": ["deliveries_pkey", "delivery_attempts_pkey"],
  "webhooks-failing": ["records_of_environment"],
  "retention-archivable": ["deliveries_of_run", "journal_pkey", "runs_ended"],
  "retention-stub": ["archived_runs_pkey"],
  "retention-stubs": ["archived_runs_by_end"],
  "archive-lock-runs": ["runs_pkey"],
  "archive-check": ["deliveries_of_run", "journal_pkey", "runs_pkey"],
  "runs-wake": ["connection_waits_of", "connection_waits_pkey", "journal_pkey", "runs_pkey"],
  "runs-get": ["run_triggers_pkey", "runs_pkey"],
  "runs-journal": ["journal_pkey", "runs_pkey"],
  "inbox-read": ["inbox_pkey", "runs_pkey"],
  "inbox-lock": ["runs_pkey"],
  "inbox-post": ["inbox_pkey", "reviews_of_run"],
  "commit-continue": ["journal_pkey", "runs_pkey"],
  "commit-append-reviews-events": ["journal_pkey", "record_keys_pkey", "records_pkey", "reviews_of_run", "runs_pkey"],
  "commit-unstored-results": [
    "firing_queue_pkey",
    "firings_firing_id_workspace_environment_key",
    "idempotency_pkey",
    "inbox_pkey",
    "journal_pkey",
    "runs_pkey",
  ],
  "commit-append-consume-reviews": ["inbox_pkey", "journal_pkey", "reviews_of_run", "runs_pkey"],
  "records-list": ["record_keys_of_record", "record_unique_keys_of_record", "records_workspace_kind_id_key"],
  "records-list-environment": ["record_keys_of_record", "record_unique_keys_of_record", "records_of_environment"],
  "records-latest-uses": ["record_uses_pkey", "records_workspace_kind_id_key"],
  "records-note-uses": ["records_workspace_kind_id_key"],
  "records-put": ["record_keys_of_record", "record_unique_keys_of_record", "record_unique_keys_pkey"],
  "invocations-lease": ["invocations_pkey", "invocations_to_lease", "runs_pkey"],
  "invocations-extend": ["invocations_pkey", "runs_pkey"],
  "invocations-lock-run": ["invocations_pkey", "runs_pkey"],
  "invocations-settle": ["inbox_pkey", "invocations_pkey", "reviews_of_run"],
  "invocations-lapsed": ["invocations_to_lapse"],
  "invocations-expire-leases": ["invocations_pkey", "runs_pkey"],
  "invocations-withdraw": ["invocations_pkey", "invocations_run_id_effect_key_key"],
  "invocations-of-run": ["invocations_run_id_effect_key_key"],
  "invocations-backlog": ["invocations_to_lapse", "invocations_to_lease", "runs_pkey"],
  "budgets-take": ["runs_pkey"],
  "budgets-write": ["budgets_pkey", "reservations_pkey"],
  "budgets-known": ["reservations_pkey"],
  "budgets-taken": ["budgets_pkey"],
  "commit-append-settle": ["journal_pkey", "runs_pkey"],
  "archive-move": [
    "budgets_pkey",
    "connection_waits_pkey",
    "decisions_pkey",
    "deliveries_of_run",
    "delivery_attempts_pkey",
    "inbox_pkey",
    "invocations_run_id_effect_key_key",
    "journal_pkey",
    "payloads_pkey",
    "reservations_of_run",
    "reviews_of_run",
    "runs_pkey",
  ],
  "retention-remove-expired": [
    "budgets_by_age",
    "budgets_pkey",
    "deliveries_of_tests",
    "deliveries_pkey",
    "delivery_attempts_pkey",
    "idempotency_by_expiry",
    "idempotency_pkey",
    "payloads_pkey",
  ],
  "sessions-find": ["sessions_pkey"],
  "sessions-touch": ["sessions_pkey"],
  "sessions-list": ["sessions_of_person"],
  "sessions-end": ["sessions_pkey", "sessions_session_id_key"],
  "sessions-end-of": ["sessions_of_person", "sessions_pkey"],
  "sessions-sweep": ["sessions_by_end", "sessions_pkey", "sign_in_failures_by_time", "sign_in_failures_pkey"],
  "sessions-note-failure": [],
  "sessions-failures": ["sign_in_failures_pkey"],
  "sessions-clear-failures": ["sign_in_failures_pkey"],
  "runs-heads": ["archived_runs_by_end", "journal_pkey", "runs_ended"],
  ...triggerPlans,
} as const;

it("statements that were planned while tables were empty find their rows by the right indexes", async () => {
  const database = await openTestDatabase();
  const pool = new pg.Pool({ connectionString: database.url, max: 1 });
  const storage = await PostgresStorage.open({ pool });
  onTestFinished(async () => {
    await storage.close();
    await pool.end();
    await database.close();
  });

  const { reviews, deliveries, retention, runs, inbox, records, invocations, budgets, sessions } = storage;
  await reviews.get({ scope, reviewId: "review-1" });
  await reviews.openOf({ scope, runIds: ["run-1"] });
  await reviews.ofRun({ scope, runId: "run-1" });
  const few = { scope, limit: 1 };
  await reviews.list({ ...few, status: "open" });
  await reviews.list({ ...few, status: "open", kind: "question" });
  await reviews.list({ ...few, closedFromMs: 1 });
  await reviews.list({ ...few, order: "expires" });
  await reviews.list({ ...few, search: "INV", kind: "question" });
  await runs.list({ ...few, search: "INV", startedBy: "ada" });
  await runs.list(few);
  await runs.list({ ...few, startedBy: "ada" });
  await runs.list({ ...few, procedureId: "pay", version: "v1" });
  await runs.list({ ...few, statuses: ["completed", "failed"] });
  await runs.list({ ...few, statuses: ["awaiting_review", "failed"] });
  await runs.list({ ...few, statuses: ["awaiting_review", "failed"], startedBy: "ada" });
  await runs.list({ ...few, attention: { failedSinceMs: 1, startedSinceMs: 1 } });
  await runs.tally({ scope, sinceMs: 1, dayStartsMs: [1] });
  await reviews.tally({ scope, expiresBeforeMs: 1 });
  await storage.audit.listNewest({ workspace: "acme", limit: 1 });
  await reviews.decide(decision);
  const continuesRun = { scope, runId: "run-1", epoch: 2, seq: 2, hash: "hash-2", body: "{}", consume: ["approve-1"] };
  const claimFor = "worker-1";
  const next = { ...continuesRun, then: { kind: "hot", workerId: claimFor } } as const;
  const another = { runId: "run-2", reviewId: "review-2", idempotencyKey: "key-2" };
  await reviews.decide({ ...decision, claimFor, next });
  const two = [decision, { ...decision, ...another }];
  await Promise.all(two.map((each) => reviews.decide({ ...each, claimFor, next: { ...next, runId: each.runId } })));
  const limits = { total: 1, perWebhook: 1 };
  const claim = { workspace: "acme", limits: { sandbox: limits, live: limits }, leaseMs: 0 };
  await deliveries.claim(claim);
  const settled = { scope, deliveryId: "delivery-1", epoch: 1, next: { status: "delivered" } } as const;
  await deliveries.settle([{ ...settled, attempt: { ...answer, manual: false } }]);
  await deliveries.settle([{ ...settled, error: "Not sent.", next: { status: "failed" } }]);
  const delivery = { scope, webhookId: "hook-1", deliveryId: "delivery-1" };
  await deliveries.resend({ ...delivery, repeatMs: 1 });
  await deliveries.list({ ...delivery, limit: 1 });
  await deliveries.list({ ...delivery, status: "failed", event: "run_failed", limit: 1 });
  await deliveries.attempts(delivery);
  await deliveries.failing({ scope, webhookIds: ["hook-1"] });
  const event = { eventId: "event-1", event: "run_completed", createdAtMs: 1, data: "{}" } as const;
  const posted = await deliveries.post({ scope, webhookId: "hook-1", event });
  if (posted.status === "posted") await deliveries.resend({ scope, ...posted.delivery, repeatMs: 0 });
  await deliveries.claim(claim);
  await deliveries.endPending({ scope, error: "Not sent.", limit: 1 });
  const since = { scope, webhookId: "hook-1", sinceMs: 0, limit: 1, repeatMs: 0 };
  expect(await deliveries.resendUndelivered({ ...since, statuses: ["failed"] })).toMatchObject({ deliveries: 1 });
  await deliveries.endPending({ scope, error: "Not sent.", limit: 1 });
  if (posted.status === "posted") await deliveries.resend({ scope, ...posted.delivery, repeatMs: 1 });
  await retention.archivable({ scope, endedBeforeMs: 1, limit: 1 });
  await retention.archive({ scope, runs: [], audit });
  await retention.stub({ scope, runId: "run-1" });
  await retention.stubs({ scope, limit: 1 });
  await runs.heads({ scope, limit: 1 });
  await records.put({
    record: { ...scope, kind: "webhook", id: "hook-1", body: "{}", uniqueKeys: ["a"], keys: [] },
    ifRevision: 0,
  });
  const hooks = { workspace: scope.workspace, kind: "webhook" };
  await records.noteUses({ ...hooks, uses: [{ id: "hook-1", usedAtMs: 1 }] });
  await records.latestUses({ ...hooks, ids: ["hook-1"] });
  await records.list({ ...hooks, limit: 1 });
  await records.list({ ...scope, kind: "webhook", limit: 1 });
  const run = { scope, runId: "run-1" };
  await runs.get(run);
  await runs.wake({ scope, waitsFor: "connection-1", limit: 1 });
  await runs.journal(run);
  const openReview = { ...shown, reviewId: "review-1", effectKey: "approve-1", openedAtMs: 1 };
  const row = { ...run, epoch: 1, seq: 2, hash: "hash-2", body: "{}", consume: ["approve-0"], openReview } as const;
  const then = { kind: "hot", workerId: "worker-1" } as const;
  expect(await runs.commit({ ...row, closeReview: { status: "settled" }, then })).toEqual({ status: "fenced" });
  const create = { procedureId: "pay", procedureVersion: "v1", createdAtMs: 1, startedBy: "ada" };
  await runs.commit({ ...run, epoch: 1, seq: 1, hash: "hash-1", body: "{}", create, then });
  const idempotency = { digest: "digest-1", expiresAtMs: 1e15 };
  for (const runIds of [["run-3"], ["run-4", "run-5"]]) {
    const first = { ...run, epoch: 1, seq: 1, hash: "hash-1", body: "{}", then };
    await commitAll(
      runs,
      runIds.map((runId) => ({ ...first, runId, create: { ...create, idempotency: { ...idempotency, key: runId } } })),
    );
  }
  const awaiting = { kind: "parked", status: "awaiting_review", wakeAtMs: undefined } as const;
  const asked = { eventId: "event-1", event: "human_review_requested", createdAtMs: 1, data: "{}" } as const;
  for (const runIds of [["run-8"], ["run-8", "run-9"]]) {
    const rows = runIds.map((runId) => ({ ...run, runId, epoch: 1, seq: 2, hash: "hash-2", body: "{}" }));
    await commitAll(
      runs,
      rows.map((each) => ({ ...each, then })),
    );
    await commitAll(
      runs,
      rows.map((each) => ({ ...each, openReview, events: [asked], then: awaiting })),
    );
  }
  await inbox.post([{ ...run, effectKey: "cancel", body: "{}" }]);
  await inbox.read(run);
  const connection = { scope, connectionId: "connection-1" };
  const lease = { invocationId: "invocation-1", leaseToken: "token-1", leaseMs: 0 };
  const call = { functionName: "screen", idempotent: false, payload: "{}", effectKey: "call-1", deadlineMs: 1e15 };
  const invocation = { ...connection, ...lease, ...call };
  await runs.commit({ ...run, epoch: 1, seq: 2, hash: "hash-2", body: "{}", invocation, then });
  await invocations.lease({ ...connection, ...lease, functions: ["screen"], limit: 1 });
  await invocations.extend({ ...connection, leases: [lease], leaseMs: 0 });
  await invocations.expireLeases({ workspace: "acme", limit: 1, body: "{}" });
  await invocations.settle({ ...connection, ...lease, body: "{}" });
  await invocations.withdraw({ ...run, effectKey: "call-1" });
  await invocations.ofRun(run);
  await invocations.backlog(connection);
  const amounts = [{ budget: "budget-1", amount: 1, atMost: 9 }];
  for (const key of ["call-1", "call-1"]) await budgets.reserve({ ...run, key, amounts });
  await budgets.taken(scope, ["budget-1"]);
  const settle = [{ key: "call-1", spent: "nothing" }] as const;
  await runs.commit({ ...run, epoch: 1, seq: 3, hash: "hash-3", body: "{}", settle, then });
  await retention.removeExpired({ scope, beforeMs: 1, budgetsBeforeMs: 1, limit: 1 });
  const session = { workspace: "acme", personId: "per-1", sessionId: "session-1", digest: "digest-1" };
  await sessions.create({ ...session, createdAtMs: 1, seenAtMs: 1, idleEndsAtMs: 1, endsAtMs: 1 });
  await sessions.find(session);
  await sessions.touch({ ...session, seenAtMs: 2, idleEndsAtMs: 2 });
  await sessions.list(session);
  await sessions.sweep({ beforeMs: 1, limit: 1 });
  await sessions.end(session);
  await sessions.endOf(session);
  await sessions.noteFailure({ key: "key-1", atMs: 1 });
  await sessions.failures({ key: "key-1" });
  await sessions.clearFailures({ key: "key-1" });

  await fireAndClaim(storage);

  const prepared = await pool.query<{ name: string; count: number }>(
    "SELECT name, cardinality(parameter_types) AS count FROM pg_prepared_statements",
  );
  const found = new Map<string, readonly string[]>();
  const plans = new Map<string, string>();
  for (const { name, count } of prepared.rows) {
    const values = Array.from({ length: count }, () => "NULL").join(", ");
    const execute = `EXECUTE ${pg.escapeIdentifier(name)}${count === 0 ? "" : `(${values})`}`;
    const plan = await pool.query<{ "QUERY PLAN": unknown }>(`EXPLAIN (FORMAT JSON) ${execute}`);
    found.set(name.split(" ")[1] ?? name, [...new Set(indexesOf(plan.rows[0]?.["QUERY PLAN"]))].sort());
    plans.set(name.split(" ")[1] ?? name, JSON.stringify(plan.rows));
  }
  // Not a filter, which would read every session that has not ended.
  expect(plans.get("sessions-sweep")).toMatch(/"Index Cond":"\(LEAST\(idle_ends_at_ms, ends_at_ms\) <= /);
  expect(Object.fromEntries(Object.keys(expected).map((name) => [name, found.get(name)]))).toEqual(expected);
});

/**
 * All scans of the plan, at any depth; a sequential scan appears with the table's name. An index of a bitmap scan is
 * never expected: every claim would visit the entries that have left a queue.
 */
function indexesOf(node: unknown): readonly string[] {
  if (Array.isArray(node)) return node.flatMap(indexesOf);
  if (typeof node !== "object" || node === null) return [];
  const type = "Node Type" in node ? node["Node Type"] : undefined;
  const index = "Index Name" in node ? String(node["Index Name"]) : undefined;
  const own = index === undefined ? [] : [type === "Bitmap Index Scan" ? `${index} for a bitmap` : index];
  const whole = type === "Seq Scan" && "Relation Name" in node;
  return [...own, ...(whole ? [String(node["Relation Name"])] : []), ...Object.values(node).flatMap(indexesOf)];
}
