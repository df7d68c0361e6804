import type { Mutation } from "./mutation.ts";

const engine = "engine/src";
const memory = "storage/src/memory";

function mutation(name: string, file: string, search: string, replace: string): Mutation {
  return { name, edits: [{ file, search, replace }] };
}

/** The seeded bugs of seeded-bugs-core. */
export const mutations: readonly Mutation[] = [
  mutation(
    "a refused commit counts as done",
    `${engine}/runs/execution.ts`,
    `await leaveAnswers(ports, holder.stopped, run);
        return { kind: "abandoned", reason: "fenced" };`,
    `rowCommitted(run, row);
        return { kind: "committed" };`,
  ),
  mutation("storage ignores the epoch", `${memory}/memory-commit.ts`, " || known.epoch !== item.epoch", ""),
  mutation("an epoch is not raised", `${memory}/memory-queue.ts`, "run.epoch += 1;", ""),
  mutation(
    "a call leaves before its intent is durable",
    `${engine}/runs/execute-call.ts`,
    "const abandoned = await execution.commitPending();",
    "const abandoned = execution.run.pendingRow.entries.length > 2 ? await execution.commitPending() : undefined;",
  ),
  // Two bugs are left out, because none of 2,000 seeds reaches them: a worker that acts after its lease before a
  // timer has fired (packages/engine/test/takeover.test.ts checks it directly), and a row that two owners write in
  // the same millisecond (the conformance suite checks the fence).
  mutation(
    "calls are not aborted when the lease ends",
    `${engine}/runs/lease.ts`,
    "endsAt = sentAt + leaseMs;",
    "endsAt = sentAt + 100 * leaseMs;",
  ),
  mutation(
    "a gap in the lease is ignored",
    `${engine}/runs/lease.ts`,
    "if (clock.monotonic() >= endsAt) leaseGeneration += 1;",
    "if (clock.monotonic() < 0) leaseGeneration += 1;",
  ),
  mutation(
    "notifications discard the result of a call",
    `${engine}/runs/execute-call.ts`,
    "execution.checkpoint = undefined;",
    "",
  ),
  mutation(
    "a closed review accepts decisions",
    `${memory}/memory-reviews.ts`,
    `if (stored.status !== "open") return { status: "not_open", review: rowOf(stored) };`,
    "",
  ),
  mutation(
    "a person counts twice",
    `${memory}/memory-reviews.ts`,
    `if (stored.decisions.some((earlier) => normalName(earlier.person) === voter)) return { status: "already_voted" };`,
    "",
  ),
  mutation(
    "a quorum is complete with one approval",
    `${engine}/reviews/decide.ts`,
    "approvalsNeeded: rules.approvals,",
    "approvalsNeeded: 1,",
  ),
  mutation(
    "the starter may decide",
    `${engine}/access/may-decide.ts`,
    "rules.excludes !== undefined && normalName(rules.excludes) === person",
    "rules.excludes === principal.runId",
  ),
  mutation(
    "a role is not checked",
    `${engine}/access/may-decide.ts`,
    "if (rules.roles.length === 0 && rules.people.length === 0) return undefined;",
    "if (rules.people.length === 0) return undefined;",
  ),
  mutation(
    "the reviewer's digest is not compared",
    `${engine}/reviews/decide.ts`,
    "reviewDigest !== undefined && reviewDigest !== digest",
    "reviewDigest === request.runId",
  ),
  mutation(
    "a decision reaches any open review",
    `${engine}/reviews/decide.ts`,
    "open !== undefined && (reviewId === undefined || reviewId === open.reviewId)",
    "open !== undefined",
  ),
  mutation(
    "expiry approves",
    `${engine}/runs/notification-entries.ts`,
    `answer: { status: "expired", decisions: votes.map(decisionFact) },`,
    `answer: { status: "approved", decisions: votes.map(decisionFact) },`,
  ),
  mutation(
    "a takeover is not recorded",
    `${engine}/runs/load-claim.ts`,
    "if (claim.takenOver || isCalling(state)) {",
    "if (claim.epoch < 0) {",
  ),
  mutation(
    "an owner that released its run left no open call",
    `${engine}/runs/load-claim.ts`,
    "claim.takenOver || isCalling(state)",
    "claim.takenOver",
  ),
  mutation(
    "a notification during parking wakes no worker",
    `${memory}/memory-queue.ts`,
    "if (unreadOf(run).length > 0) makeClaimable",
    "if (then.wakeAtMs === 0) makeClaimable",
  ),
  mutation(
    "a notification is read and forgotten",
    `${engine}/runs/notification-entries.ts`,
    `if (cursor.at === "ended") return [superseded];`,
    `if (cursor.at === "ended" || cursor.at === "node") return [];`,
  ),
  mutation(
    "a notification is folded in repeatedly",
    `${memory}/memory-commit.ts`,
    "notification.consumed = true;",
    "notification.consumed = false;",
  ),
  mutation(
    "a later notification replaces the first",
    `${memory}/memory-inbox.ts`,
    "if (winner !== undefined) return",
    "if (winner?.consumed === true) return",
  ),
  mutation(
    "a `once` call of unknown outcome is repeated",
    `${engine}/calls/settle-attempt.ts`,
    `=== "none" || mayRepeat || tried.retryUnknown`,
    `=== "none" || true`,
  ),
  mutation(
    "an unknown outcome is recorded as a failure",
    `${engine}/calls/settle-attempt.ts`,
    `effect !== "read" && failure.effect === "unknown"`,
    `effect === "once" && failure.effect === "unknown"`,
  ),
  mutation(
    "an error without information counts as no effect",
    `${engine}/calls/failure.ts`,
    `return { effect: "unknown", retryable: true, message: abortedBy?.message ?? message };`,
    `return { effect: "none", retryable: true, message: abortedBy?.message ?? message };`,
  ),
  mutation(
    "the key changes with the attempt",
    `${engine}/calls/propose-call.ts`,
    "callKey(facts.runId, node.id, visit, ready.call)",
    "callKey(facts.runId, node.id, visit, ready.call + ready.attempt)",
  ),
  mutation(
    "two visits of a node share a key",
    `${engine}/calls/propose-call.ts`,
    "callKey(facts.runId, node.id, visit, ready.call)",
    "callKey(facts.runId, node.id, 1, ready.call)",
  ),
  mutation(
    "the approved call is rendered again",
    `${engine}/runs/perform-step.ts`,
    `approved === undefined
      ? freezeCall`,
    `visit > 0
      ? freezeCall`,
  ),
  mutation(
    "guards do not hold for approved calls",
    `${engine}/calls/propose-call.ts`,
    "of node.guards) {",
    "of approvedDigest === undefined ? node.guards : []) {",
  ),
  mutation(
    "a guard with a review hides later guards",
    `${engine}/calls/propose-call.ts`,
    "forPeople.push(check.source);",
    "return askByGuards(ports, held, [check.source]);",
  ),
  mutation(
    "an uncertain attempt is forgotten after the next one",
    `${engine}/calls/settle-attempt.ts`,
    `effect !== "read" && uncertainReason !== undefined`,
    `effect !== "read" && uncertainReason === effect`,
  ),
  mutation(
    "a call is repeated after its idempotency key expired",
    "procedure/src/interpreter/attempts.ts",
    `frozen.effect === "read" || firstSentAtMs === undefined`,
    `frozen.effect === "read" || firstSentAtMs !== 0`,
  ),
  mutation(
    "a cancellation hides the effect of a call",
    "procedure/src/interpreter/next.ts",
    `state.cancel !== undefined && cursor.at !== "calling"`,
    "state.cancel !== undefined",
  ),
  mutation(
    "a cancellation is ignored while the run executes",
    `${engine}/runs/notification-entries.ts`,
    `if (cursor.at !== "review") return [request];`,
    `if (cursor.at !== "review") return [superseded];`,
  ),
  mutation(
    "one of two events of a row is lost",
    `${engine}/runs/active-run.ts`,
    "event === undefined ? row.events : [...row.events, event]",
    "event === undefined ? row.events : [event]",
  ),
  mutation(
    "the events of a row that closes a review are lost",
    `${memory}/memory-commit.ts`,
    "for (const row of deliveries) addDelivery",
    "for (const row of item.consume === undefined ? deliveries : []) addDelivery",
  ),
  mutation(
    "a row's hash does not cover the row before",
    `${engine}/journal/journal-writer.ts`,
    "chainHash(this.#chainKey, previous,",
    `chainHash(this.#chainKey, "",`,
  ),
  mutation(
    "an idempotency key starts two runs",
    `${memory}/memory-commit.ts`,
    "held !== undefined && held.expiresAtMs > state.now()",
    "held !== undefined && item.seq > 1",
  ),
  mutation(
    "another body under the same key is accepted",
    `${engine}/runs/start-run.ts`,
    "known.digest !== startDigest(data.value, request.version)",
    "known.digest === data.value",
  ),
  mutation(
    "a retry is forgotten when its worker releases the run",
    `${engine}/runs/execution.ts`,
    `place = { kind: "parked", status, wakeAtMs,`,
    `place = { kind: "parked", status, wakeAtMs: undefined,`,
  ),
  mutation(
    "a late answer is ignored",
    `${engine}/runs/execute-call.ts`,
    `if (outcome.result.status !== "unknown") void postLateAnswer`,
    `if (intent.attempt < 0 && outcome.result.status !== "unknown") void postLateAnswer`,
  ),
  mutation(
    "a call is sent after its deadline",
    `${engine}/calls/call-in-progress.ts`,
    "this.#ports.clock.now() > intent.sendByMs",
    "intent.sendByMs === 0",
  ),
  mutation(
    "a secret is not removed from an answer",
    `${engine}/calls/make-call.ts`,
    "output: redactor.value(copy.value)",
    "output: copy.value",
  ),
  mutation(
    "runs whose commit lost its answer stay lost",
    `${engine}/runs/lost-claims.ts`,
    "await storage.workers.releaseRuns({ workerId, runIds: lost });",
    "",
  ),
  mutation(
    "a run with a broken journal continues",
    `${engine}/runs/load-run.ts`,
    "if (!follows(row)) throw broken",
    "if (!follows(row) && read < 0) throw broken",
  ),
  mutation(
    "a live worker's runs are taken",
    `${memory}/memory-queue.ts`,
    "return state.leases.get(run.place.workerId) ?? 0;",
    "return (state.leases.get(run.place.workerId) ?? 0) - 2_500;",
  ),
];
