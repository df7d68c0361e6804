import type {
  EventContent,
  FiringQuery,
  FiringRow,
  RunStatus,
  Scope,
  TriggerState,
  TriggerStore,
} from "@procedo/storage";
import { firingCursorQuery } from "@procedo/storage";
import type { SqliteContext } from "./context.ts";
import { filteredRows, type FilteredList } from "./filtered-rows.ts";
import { pageOf } from "./sql-page.ts";
import { prepare, prepareTuple } from "./statement.ts";

interface StoredFiring {
  readonly triggerId: string;
  readonly firingId: string;
  readonly status: FiringRow["status"];
  readonly reason: string | null;
  readonly error: string | null;
  readonly count: number;
  readonly requestedBy: string | null;
  readonly scheduledAtMs: number | null;
  readonly occurredAtMs: number | null;
  readonly receivedAtMs: number;
  readonly refireOf: string | null;
  readonly eventId: string | null;
  readonly type: string;
  readonly digest: string;
  readonly duplicates: number | null;
  readonly body: string | null;
  readonly headers: string | null;
  readonly runId: string | null;
  readonly procedureVersion: string;
  readonly runStatus: RunStatus;
  readonly startedAtMs: number | null;
}

interface ListedFiring {
  readonly firing: number;
  readonly received_at_ms: number;
}

type StateRow = Pick<TriggerState, "triggerId"> & {
  readonly scope: number;
  readonly accountedAtMs: number | null;
  readonly dueAtMs: number | null;
};

const maxCounted = 1_000;
const maxFailures = 100;

/** Reads firings and the states of triggers. */
export function sqliteFiringReads({
  db,
  reader,
  scopes,
}: SqliteContext): Pick<TriggerStore, "list" | "get" | "states"> {
  const selectOf = (content: string): string =>
    `SELECT firings.trigger_id AS "triggerId", firing_id AS "firingId",
            CASE is_waiting WHEN 1 THEN 'waiting' ELSE firings.status END AS status, reason, firings.error, count,
            requested_by AS "requestedBy", scheduled_at_ms AS "scheduledAtMs", occurred_at_ms AS "occurredAtMs",
            firings.received_at_ms AS "receivedAtMs", refire_of AS "refireOf", event_id AS "eventId", type, digest,
            duplicates, run_id AS "runId", procedure_version AS "procedureVersion", runs.status AS "runStatus",
            created_at_ms AS "startedAtMs", ${content}
       FROM firings LEFT JOIN firing_queue USING (firing) LEFT JOIN events USING (event)
            LEFT JOIN runs ON runs.run = firings.run`;
  const selectOne = prepare<StoredFiring>(
    db,
    `${selectOf("body, headers")} LEFT JOIN event_contents USING (event)
      WHERE firings.scope = ? AND firing_id = ? AND firings.trigger_id = ?`,
  );
  const selectListed = prepare<StoredFiring>(
    db,
    `${selectOf("NULL AS body, NULL AS headers")} WHERE firings.firing = ?`,
  );
  const selectPage = filteredRows<ListedFiring>(db);
  const selectGate = prepare<StateRow>(
    db,
    `SELECT scope, trigger_id AS "triggerId", accounted_at_ms AS "accountedAtMs", due_at_ms AS "dueAtMs"
       FROM trigger_gates WHERE scope = ? AND trigger_id = ?`,
  );
  const selectNewest = prepareTuple<[receivedAtMs: number | null]>(
    db,
    "SELECT max(received_at_ms) FROM firings INDEXED BY firings_by_time WHERE scope = ? AND trigger_id = ?",
  );
  const countQueued = prepareTuple<[count: number]>(
    db,
    `SELECT count(*) FROM (SELECT 1 FROM firing_queue INDEXED BY firing_queue_in_order
                            WHERE scope = ? AND trigger_id = ? LIMIT ${maxCounted})`,
  );
  const selectResults = prepareTuple<[status: "started" | "failed", runStatus: RunStatus | null]>(
    db,
    `SELECT firings.status, runs.status
       FROM firings INDEXED BY firings_with_result LEFT JOIN runs ON runs.run = firings.run
      WHERE firings.scope = ? AND trigger_id = ? AND firings.status IN ('started', 'failed') ORDER BY firing DESC`,
  );

  /** The failures among the newest firings, up to one whose run completed. */
  function failuresOf(scope: number, triggerId: string): number {
    let failures = 0;
    for (const [status, runStatus] of selectResults.iterate(scope, triggerId)) {
      if (runStatus === "completed" || failures === maxFailures) break;
      if (status === "failed" || runStatus === "failed") failures += 1;
    }
    return failures;
  }

  function stateOf({ scope, triggerId, accountedAtMs, dueAtMs }: StateRow): TriggerState {
    return {
      triggerId,
      schedule: accountedAtMs === null ? undefined : { accountedAtMs, dueAtMs: dueAtMs ?? undefined },
      lastFiringAtMs: selectNewest.get(scope, triggerId)?.[0] ?? undefined,
      waiting: countQueued.get(scope, triggerId)?.[0] ?? 0,
      consecutiveFailures: failuresOf(scope, triggerId),
    };
  }

  return {
    list: (request) =>
      reader.snapshot(() => {
        const { scope, triggerId, status = null, fromMs = -Infinity, toMs = Infinity } = request;
        const number = scopes.find(scope);
        return pageOf({
          ...request,
          query: firingCursorQuery(request),
          shape: ["number", "number"],
          rowsAfter: (position, count) => {
            if (number === undefined) return [];
            const values = [number, triggerId, fromMs, ...(position ?? [toMs, 0]), status];
            return selectPage(listedFirings(request), values, count);
          },
          positionOf: ({ received_at_ms, firing }) => [received_at_ms, firing],
          itemOf: ({ firing }) => rowOf(scope, stored(selectListed.get(firing))),
        });
      }),

    get: ({ scope, triggerId, firingId }) =>
      reader.read(() => {
        const number = scopes.find(scope);
        const found = number === undefined ? undefined : selectOne.get(number, firingId, triggerId);
        return found && { ...rowOf(scope, found), content: contentOf(found) };
      }),

    states: ({ scope, triggerIds }) =>
      reader.snapshot(() => {
        const number = scopes.find(scope);
        if (number === undefined) return [];
        return [...new Set(triggerIds)].flatMap((triggerId) => {
          const gate = selectGate.get(number, triggerId);
          return gate === undefined ? [] : [stateOf(gate)];
        });
      }),
  };
}

/** The queue tells whether a firing that has not ended is pending or waiting. */
const isWaiting = "(SELECT is_waiting FROM firing_queue WHERE firing_queue.firing = listed.firing)";

function listedFirings({ status }: FiringQuery): FilteredList {
  const filters: Readonly<Record<FiringRow["status"], string>> = {
    pending: `${isWaiting} = 0`,
    waiting: `${isWaiting} = 1`,
    started: "status = ?6",
    skipped: "status = ?6",
    failed: "status = ?6",
  };
  return {
    ordered: (limit) => `SELECT firing, received_at_ms, status FROM firings INDEXED BY firings_by_time
      WHERE scope = ?1 AND trigger_id = ?2 AND received_at_ms >= ?3 AND (received_at_ms, firing) < (?4, ?5)
      ORDER BY received_at_ms DESC, firing DESC LIMIT ${limit}`,
    filters: status === undefined ? [] : [filters[status]],
  };
}

function stored(row: StoredFiring | undefined): StoredFiring {
  if (row === undefined) throw new Error("A listed firing is missing.");
  return row;
}

function contentOf({ body, headers }: StoredFiring): EventContent | undefined {
  return body === null ? undefined : { body, headers: headers ?? undefined };
}

function rowOf(scope: Scope, row: StoredFiring): FiringRow {
  const { triggerId, firingId, status, count, receivedAtMs, eventId, type, digest, runId } = row;
  const { procedureVersion, runStatus } = row;
  return {
    ...{ scope, triggerId, firingId, status, count, receivedAtMs },
    requestedBy: row.requestedBy ?? undefined,
    reason: row.reason ?? undefined,
    error: row.error ?? undefined,
    scheduledAtMs: row.scheduledAtMs ?? undefined,
    occurredAtMs: row.occurredAtMs ?? undefined,
    startedAtMs: row.startedAtMs ?? undefined,
    event: eventId === null ? undefined : { id: eventId, type, digest },
    duplicates: row.duplicates ?? 0,
    refireOf: row.refireOf ?? undefined,
    run: runId === null ? undefined : { runId, procedureVersion, status: runStatus },
  };
}
