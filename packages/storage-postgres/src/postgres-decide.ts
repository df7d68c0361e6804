import { normalName } from "@procedo/contract";
import type { ClaimedRun, DecideResult, NewDecision } from "@procedo/storage";
import { groupCommit, decidedBody } from "@procedo/storage";
import type { PostgresContext } from "./context.ts";
import type { Transaction } from "./database.ts";
import type { Findings, ReviewChange } from "./decide-statements.ts";
import { findStatement, findValues, lockStatement, writeStatement, writeValues } from "./decide-statements.ts";
import { type ContinuingDecision, decideAndContinue } from "./decide-and-continue.ts";
import { groupClock } from "./group-clock.ts";
import { nextRows } from "./next-rows.ts";
import { failureOf } from "./postgres-error.ts";
import type { PostgresQueue } from "./postgres-queue.ts";
import { reviewOf } from "./review-rows.ts";

/** The answer to one decision of a flush. A decision that the database rejects does not affect the others. */
type Outcome = { readonly result: DecideResult } | { readonly refused: unknown };

type Judgement = { readonly result: DecideResult } | { readonly change: ReviewChange };

/** The same as for commits: while one flush waits for the disk, the next one is judged. */
const flushesAtOnce = 2;

/**
 * Stores many decisions in one transaction, at most one per run.
 *
 * The runs' rows are locked first. Each transaction that opens, decides or closes a review, or notifies or ends a run,
 * holds that row. Later reads therefore remain valid until the commit. Only an idempotency key can be used in the
 * meantime by a decision on another run; the decision is then judged again.
 */
export function postgresDecide(
  context: PostgresContext,
  queue: PostgresQueue,
): (decision: NewDecision) => Promise<DecideResult> {
  const { database } = context;
  const lock = lockStatement(database.schema);
  const find = findStatement(database.schema);
  const write = writeStatement(database.schema);
  const next = nextRows(context);
  const continuing = decideAndContinue(database);

  /** Hands over the notified runs, and resumes those that have a next row. Returns results by run. */
  async function wake(tx: Transaction, notified: readonly NewDecision[]): Promise<ReadonlyMap<string, DecideResult>> {
    const results = new Map<string, DecideResult>();
    if (notified.length === 0) return results;
    const woken = await queue.wakeAll(tx, notified);
    const continued = await next.append(tx, woken, notified);
    for (const runId of continued) results.set(runId, { ...closed(undefined), continued: true });
    const rest = woken.filter((run) => !continued.has(run.run_id));
    for (const claimed of await queue.load(tx, rest)) results.set(claimed.runId, closed(claimed));
    return results;
  }

  async function decideAll(tx: Transaction, decisions: readonly NewDecision[]): Promise<readonly Outcome[]> {
    await tx.query(lock, [decisions.map(({ runId }) => runId)]);
    const results = new Map<NewDecision, DecideResult>();
    const notified: NewDecision[] = [];
    for (let open = decisions; open.length > 0; open = open.filter((decision) => !results.has(decision))) {
      const findings = await tx.query<Findings>(find, findValues(open));
      const changes: ReviewChange[] = [];
      for (const [index, decision] of open.entries()) {
        const judgement = judge(decision, findings[index]);
        if ("result" in judgement) results.set(decision, judgement.result);
        else changes.push(judgement.change);
      }
      if (changes.length === 0) break;
      for (const { number } of await tx.query<{ number: number }>(write, writeValues(changes))) {
        const change = changes[number - 1];
        if (change === undefined) continue;
        results.set(change.decision, resultOf(change));
        if (change.outcome !== undefined) notified.push(change.decision);
        else tx.announce({ type: "written", scope: change.decision.scope });
      }
    }
    const resumed = await wake(tx, notified);
    return decisions.map((decision) => {
      const result = results.get(decision) ?? { status: "not_open", review: undefined };
      return { result: isClosing(result) ? (resumed.get(decision.runId) ?? result) : result };
    });
  }

  async function flush(decisions: readonly NewDecision[]): Promise<readonly Outcome[]> {
    const continued = decisions.every((decision) => continuing.takes(decision))
      ? await continueRuns(decisions)
      : new Set();
    const rest = decisions.filter((decision) => !continued.has(decision));
    const others = rest.length === 0 ? [] : [...(await decideInTransaction(rest))];
    return decisions.flatMap((decision) => {
      const outcome = continued.has(decision)
        ? { result: { ...closed(undefined), continued: true as const } }
        : others.shift();
      return outcome ?? [];
    });
  }

  /** The transaction finds the obstacles to a decision, and the decisions that the database rejects. */
  async function continueRuns(decisions: readonly ContinuingDecision[]): Promise<ReadonlySet<NewDecision>> {
    try {
      return await continuing.decide(decisions);
    } catch (error) {
      if (failureOf(error) !== "statement") throw error;
      return new Set();
    }
  }

  async function decideInTransaction(decisions: readonly NewDecision[]): Promise<readonly Outcome[]> {
    try {
      return await database.transaction((tx) => decideAll(tx, decisions));
    } catch (error) {
      if (failureOf(error) !== "statement") throw error;
      // The database rejected a statement. First without the next rows, which owners retry; then each decision alone.
      if (decisions.some((decision) => decision.next !== undefined)) {
        return decideInTransaction(decisions.map((decision) => withoutNext(decision)));
      }
      if (decisions.length === 1) return [{ refused: error }];
      const outcomes: Outcome[] = [];
      for (const decision of decisions) outcomes.push(...(await decideInTransaction([decision])));
      return outcomes;
    }
  }

  const group = groupCommit<NewDecision, Outcome>({
    flush,
    kindOf: (decision) => (continuing.takes(decision) ? "continuing" : "decision"),
    keysOf: ({ runId, scope, idempotencyKey }) => [
      `run ${runId}`,
      `key ${scope.workspace} ${scope.environment} ${idempotencyKey}`,
    ],
    sizeOf: ({ body }) => body.length,
    concurrency: flushesAtOnce,
    timeLimit: database.timeLimit,
    clock: groupClock,
  });

  return async (decision) => {
    const outcome = await group.add(decision);
    if ("result" in outcome) return outcome.result;
    throw outcome.refused;
  };
}

function judge(decision: NewDecision, found: Findings | undefined): Judgement {
  if (found !== undefined && found.first_body !== null) {
    const replayed = found.first_run_id === decision.runId;
    return { result: replayed ? { status: "replayed", body: found.first_body } : { status: "key_reused" } };
  }
  if (found?.found !== true) return { result: { status: "not_open", review: undefined } };
  if (found.status !== "open") return { result: { status: "not_open", review: reviewOf(found) } };
  const person = normalName(decision.person);
  if (found.voters.some((voter) => normalName(voter) === person)) return { result: { status: "already_voted" } };
  const closes = !decision.approved || found.decisions.length + 1 >= decision.approvalsNeeded;
  if (!closes) return { change: { found, decision, stored: true, closesAs: undefined, outcome: undefined } };
  if (found.too_late) return { change: { found, decision, stored: false, closesAs: "settled", outcome: undefined } };
  const outcome = decidedBody([...found.decisions, decision.body]);
  return { change: { found, decision, stored: true, closesAs: decision.approved ? "approved" : "rejected", outcome } };
}

/** The result of a change that was carried out. */
function resultOf({ found, decision, stored, closesAs }: ReviewChange): DecideResult {
  if (stored)
    return closesAs === undefined ? { status: "recorded", closed: false, claimed: undefined } : closed(undefined);
  return { status: "not_open", review: reviewOf({ ...found, status: "settled", closed_at_ms: decision.atMs }) };
}

function closed(claimed: ClaimedRun | undefined): Extract<DecideResult, { readonly status: "recorded" }> {
  return { status: "recorded", closed: true, claimed };
}

function isClosing(result: DecideResult): boolean {
  return result.status === "recorded" && result.closed;
}

function withoutNext({ next: _next, ...decision }: NewDecision): NewDecision {
  return decision;
}
