import { ProcedoError } from "@procedo/contract";
import type { Change, CommitResult, RunCommit, RunStore } from "@procedo/storage";
import { assertStorableCommit, groupCommit } from "@procedo/storage";
import { type CommitEffect, effectsOf } from "./commit-columns.ts";
import type { CommitAnswer, CommitStatement } from "./commit-statement.ts";
import { appendStatement, continueStatement, createStatement } from "./commit-statement.ts";
import type { PostgresContext } from "./context.ts";
import { groupClock } from "./group-clock.ts";
import { itemArrays } from "./item-rows.ts";
import { failureOf, isUniqueViolation } from "./postgres-error.ts";
import { unstoredResults } from "./unstored-results.ts";
import type { SqlValue } from "./statement.ts";

const committed: CommitResult = { status: "committed" };

/** While one flush waits for the disk, the next one is judged. A third flush would only make each of them smaller. */
const flushesAtOnce = 2;
/** The maximum number of retries of an item after conflicts. With each conflict, another process has made progress. */
const maxTries = 20;

/**
 * Commits with one statement per flush, which is a transaction of its own: one round trip and one disk write for many
 * runs. In rare cases, a second statement finds out why items were not stored.
 */
export function postgresCommit({ database, nowMs, announce }: PostgresContext): RunStore["commit"] {
  const { schema } = database;
  const statements = commitStatements(schema);
  const unstored = unstoredResults(database, nowMs);

  /**
   * A retry never uses the short statement: an owner may have taken over a run, which that statement does not expect.
   */
  function statementFor(items: readonly RunCommit[], tries: number): CommitStatement {
    const effects = effectsOf(items);
    if (items.every(({ create }) => create !== undefined)) return statements.create(effects);
    return tries === 0 && items.every(isContinuation) ? statements.continue : statements.append(effects);
  }

  async function store(items: readonly RunCommit[], tries: number): Promise<ReadonlySet<RunCommit>> {
    const statement = statementFor(items, tries);
    const [answer] = await database.query<CommitAnswer>(statement, commitValues(statement, items, nowMs()));
    const stored = storedItems(items, answer);
    announce(changesOf(stored, answer));
    return new Set(stored);
  }

  async function flush(items: readonly RunCommit[], tries = 0): Promise<readonly CommitResult[]> {
    let stored: ReadonlySet<RunCommit> = new Set();
    try {
      stored = await store(items, tries);
    } catch (error) {
      if (failureOf(error) !== "statement") throw error;
      if (items.length > 1) return await halve(items);
      if (!isUniqueViolation(error) || tries >= maxTries) return [{ status: "refused", error }];
    }
    if (stored.size === items.length) return items.map(() => committed);
    const open = items.filter((item) => !stored.has(item));
    const results = new Map(items.map((item) => [item, stored.has(item) ? committed : undefined]));
    for (const [index, result] of (await unstored.of(open)).entries()) {
      const item = open[index];
      if (item !== undefined && result !== undefined) results.set(item, result);
    }
    return await retry(items, results, tries);
  }

  async function retry(
    items: readonly RunCommit[],
    results: ReadonlyMap<RunCommit, CommitResult | undefined>,
    tries: number,
  ): Promise<readonly CommitResult[]> {
    const open = items.filter((item) => results.get(item) === undefined);
    if (open.length > 0 && tries >= maxTries) {
      throw new ProcedoError("storage_unavailable", "Other processes keep committing to the same runs.");
    }
    const later = open.length === 0 ? [] : [...(await flush(open, tries + 1))];
    return items.map((item) => results.get(item) ?? later.shift() ?? committed);
  }

  /**
   * The database rejected the statement, and with it all items. Each half is retried until the failing item is alone.
   */
  async function halve(items: readonly RunCommit[]): Promise<readonly CommitResult[]> {
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

interface CommitStatements {
  readonly continue: CommitStatement;
  readonly append: (effects: readonly CommitEffect[]) => CommitStatement;
  readonly create: (effects: readonly CommitEffect[]) => CommitStatement;
}

/** The statements of a schema, created on first use: few combinations of effects occur. */
export function commitStatements(schema: string): CommitStatements {
  const known = new Map<string, CommitStatement>();
  const once = (name: string, make: () => CommitStatement): CommitStatement => {
    const statement = known.get(name) ?? make();
    known.set(name, statement);
    return statement;
  };
  return {
    continue: continueStatement(schema),
    append: (effects) => once(`append ${effects.join()}`, () => appendStatement(schema, effects)),
    create: (effects) => once(`create ${effects.join()}`, () => createStatement(schema, effects)),
  };
}

/** The parameters of a statement for these items. */
export function commitValues(
  { columns }: CommitStatement,
  items: readonly RunCommit[],
  nowMs: number | null,
): readonly SqlValue[] {
  return [...itemArrays(columns, items), items.map(({ body }) => body), nowMs];
}

/** The items that a statement stored. */
export function storedItems(items: readonly RunCommit[], answer: CommitAnswer | undefined): readonly RunCommit[] {
  return (answer?.committed ?? []).flatMap((ordinal) => items[ordinal - 1] ?? []);
}

/** The changes to announce once these items are durable. */
export function changesOf(stored: readonly RunCommit[], answer: CommitAnswer | undefined): readonly Change[] {
  const changes: Change[] = [];
  if (answer?.deliverable === true) changes.push({ type: "deliverable" });
  if (answer?.fireable === true) changes.push({ type: "fireable" });
  for (const { scope, runId, create, then, invocation } of stored) {
    if (then.kind !== "hot") changes.push({ type: "settled", runId, scope });
    else if (create !== undefined) changes.push({ type: "written", scope });
    if (invocation !== undefined && invocation.lease === undefined) {
      changes.push({ type: "invocable", connectionId: invocation.connectionId });
    }
  }
  if (answer?.claimable === true) changes.push({ type: "claimable" });
  return changes;
}

/** Whether the item appends a row to a run that keeps its owner, without effects. */
function isContinuation(item: RunCommit): boolean {
  return item.create === undefined && item.then.kind === "hot" && effectsOf([item]).length === 0;
}

/**
 * Items of different kinds are flushed separately. An item that settles reservations may have to wait for a contended
 * budget, and must not delay the others.
 */
function kindOf(item: RunCommit): "create" | "continue" | "settling" | "append" {
  if (item.create !== undefined) return "create";
  if (item.settle !== undefined) return "settling";
  return isContinuation(item) ? "continue" : "append";
}

/** The run, and its idempotency key and firing if it has them. */
function keysOf({ runId, scope, create }: RunCommit): readonly string[] {
  if (create?.idempotency === undefined && create?.firing === undefined) return [runId];
  const { procedureId, idempotency, firing } = create;
  return [
    runId,
    ...(idempotency === undefined ? [] : [`${scope.environment} ${procedureId} ${idempotency.key}`]),
    ...(firing === undefined ? [] : [`firing ${scope.environment} ${firing.firingId}`]),
  ];
}

function sizeOf({ body, openReview, invocation, events = [] }: RunCommit): number {
  const size = body.length + (openReview?.body.length ?? 0) + (invocation?.payload.length ?? 0);
  return events.reduce((sum, { data, fires }) => sum + data.length + (fires?.body.length ?? 0), size);
}
