import { ProcedoError } from "@procedo/contract";
import type { Change, CommitResult, RunCommit, RunStore } from "@procedo/storage";
import { assertStorableCommit, groupCommit } from "@procedo/storage";
import { columnValues, comesToRest, isContinuation, isNewRun, onlySettles, partsOf } from "./commit-columns.ts";
import type { CommitStatement, CommittedItems, CommitVerdict, Placed } from "./commit-statement.ts";
import { commitStatement, continueStatement } from "./commit-statement.ts";
import type { PostgresContext } from "./context.ts";
import { creationStatement } from "./creation-statement.ts";
import { groupClock } from "./group-clock.ts";
import { itemCount } from "./item-rows.ts";
import { failureOf, isUniqueViolation } from "./postgres-error.ts";
import { ordinalsIn } from "./ordinals.ts";
import { restStatement } from "./rest-statement.ts";
import type { SqlValue } from "./statement.ts";

const committed: CommitResult = { status: "committed" };

/** While one flush waits for the disk, the next one is judged. A third would only make each of them smaller. */
const flushesAtOnce = 2;
/** How often an item is judged anew because others were faster; each time one of them has gone on. */
const maxTurns = 20;
/** For so long after an event that a webhook wanted to hear events are taken to be heard: the short statement would be in vain. */
const heardForMs = 10_000;

/**
 * Commits with one statement for each flush, which is a transaction of its own: one round trip and one write to disk for
 * many runs.
 */
export function postgresCommit({ database, nowMs, announce }: PostgresContext): RunStore["commit"] {
  const { schema } = database;
  const statements = new Map<string, CommitStatement>();
  let heardAtMs = -Infinity;

  /** There are a few dozen of them at most. */
  function statementOf(name: string, make: () => CommitStatement): CommitStatement {
    const known = statements.get(name) ?? make();
    statements.set(name, known);
    return known;
  }

  /** What is judged anew is something that the short statements do not expect. */
  function statementFor(items: readonly RunCommit[], turn: number): CommitStatement {
    const count = itemCount(items);
    const parts = partsOf(items);
    if (turn === 0 && items.every(isContinuation)) {
      return statementOf(`continue ${count}`, () => continueStatement(schema, count));
    }
    if (turn === 0 && items.every(isNewRun)) {
      return statementOf(`create ${count} ${parts.join()}`, () => creationStatement(schema, parts, count));
    }
    const isHeard = parts.includes("events") && performance.now() < heardAtMs + heardForMs;
    if (turn === 0 && !isHeard && items.every(comesToRest)) {
      return statementOf(`rest ${count} ${parts.join()}`, () => restStatement(schema, parts, count));
    }
    return statementOf(parts.join(), () => commitStatement(schema, parts));
  }

  async function judge(items: readonly RunCommit[], turn: number): Promise<readonly (CommitVerdict | undefined)[]> {
    const statement = statementFor(items, turn);
    const time = statement.asksTime ? [nowMs()] : [];
    const values = (): readonly SqlValue[] => [...columnValues(statement.columns, items), ...time];
    const verdicts: (CommitVerdict | undefined)[] = items.map(() => undefined);
    if (statement.isShort) {
      const [answer] = await database.query<CommittedItems>(statement, values);
      const places = ordinalsIn(answer?.committed);
      for (const place of places) verdicts[place - 1] = { outcome: "commit" };
      const [first] = places;
      // One tells of it for all.
      if (answer?.claimable === true && first !== undefined)
        verdicts[first - 1] = { outcome: "commit", claimable: true };
      return verdicts;
    }
    for (const verdict of await database.query<CommitVerdict & Placed>(statement, values)) {
      verdicts[verdict.ord - 1] = verdict;
      if (verdict.deliverable === true) heardAtMs = performance.now();
    }
    return verdicts;
  }

  async function flush(items: readonly RunCommit[], turn = 0): Promise<readonly CommitResult[]> {
    let verdicts: readonly (CommitVerdict | undefined)[];
    try {
      verdicts = await judge(items, turn);
    } catch (error) {
      if (failureOf(error) !== "statement") throw error;
      return await separate(items, turn, error);
    }
    const changes: Change[] = [];
    const results = items.map((item, index): CommitResult | undefined => resultOf(item, verdicts[index], changes));
    announce(changes);
    const open = items.filter((_item, index) => results[index] === undefined);
    if (open.length === 0) return results.map((result) => result ?? committed);
    if (turn >= maxTurns) throw new ProcedoError("storage_unavailable", "Others commit to the same runs all the time.");
    const later = [...(await flush(open, turn + 1))];
    return results.map((result) => result ?? later.shift() ?? committed);
  }

  /**
   * The database refused the statement, and with it all items. One of them is the culprit, or another node wrote what this
   * one was about to write; that shows when it is judged anew.
   */
  async function separate(items: readonly RunCommit[], turn: number, error: unknown): Promise<readonly CommitResult[]> {
    const [first] = items;
    if (items.length === 1 && first !== undefined) {
      // Each time a row is there already that was not to be seen, somebody has gone on.
      const again = turn === 0 || (isUniqueViolation(error) && turn < maxTurns);
      return again ? await flush(items, turn + 1) : [{ status: "refused", error }];
    }
    const half = Math.ceil(items.length / 2);
    return [...(await flush(items.slice(0, half))), ...(await flush(items.slice(half)))];
  }

  const group = groupCommit<RunCommit, CommitResult>({
    flush: (items) => flush(items),
    fairBy: ({ scope }) => scope.environment,
    keysOf,
    kindOf,
    sizeOf,
    concurrency: flushesAtOnce,
    timeLimit: database.timeLimit,
    clock: groupClock,
  });

  return async (commit) => {
    try {
      assertStorableCommit(commit);
    } catch (error) {
      return { status: "refused", error };
    }
    return group.add(commit);
  };
}

/** The run, and the idempotency key that it holds. */
function keysOf({ runId, scope, create }: RunCommit): readonly string[] {
  if (create?.idempotency === undefined) return [runId];
  return [runId, `${scope.environment} ${create.procedureId} ${create.idempotency.key}`];
}

/**
 * Rows with which runs only go on, or come to rest, cost a part of what others do. Those that settle reservations may have
 * to wait for a budget that everybody wants, and keep nobody else waiting. They bring nothing about that is told in the
 * order in which it was stored.
 */
function kindOf(item: RunCommit): "short" | "settling" | "rest" | "whole" {
  if (isContinuation(item)) return "short";
  if (onlySettles(item)) return "settling";
  return comesToRest(item) ? "rest" : "whole";
}

function sizeOf({ body, openReview, invocation, events = [] }: RunCommit): number {
  const size = body.length + (openReview?.body.length ?? 0) + (invocation?.payload.length ?? 0);
  return events.reduce((sum, { data }) => sum + data.length, size);
}

/** `undefined`: to be judged anew. Adds what others are told of the item once it is durable. */
export function resultOf(
  item: RunCommit,
  verdict: CommitVerdict | undefined,
  changes: Change[],
): CommitResult | undefined {
  switch (verdict?.outcome) {
    case "commit":
      if (verdict.deliverable === true) changes.push({ type: "deliverable" });
      if (item.then.kind !== "hot") changes.push({ type: "settled", runId: item.runId });
      if (item.invocation !== undefined && item.invocation.handedTo === undefined)
        changes.push({ type: "invocable", connectionId: item.invocation.connectionId });
      if (verdict.claimable === true) changes.push({ type: "claimable" });
      return committed;
    case "repeated":
      return committed;
    case "fenced":
    case "inbox_not_empty":
      return { status: verdict.outcome };
    case "exists":
      return { status: "exists", runId: verdict.holder_run_id ?? "", digest: verdict.holder_digest ?? "" };
    case "again":
    case undefined:
      return undefined;
  }
}
