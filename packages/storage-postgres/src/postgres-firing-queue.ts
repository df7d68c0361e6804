import type { Environment } from "@procedo/contract";
import type { ClaimedFiring, EventContent, GateVerdict, Overlap, Scope, TriggerStore } from "@procedo/storage";
import { judgeGate } from "@procedo/storage";
import type { PostgresContext } from "./context.ts";
import type { Transaction } from "./database.ts";
import { firingQueueStatements } from "./firing-queue-statements.ts";

/** A trigger with due firings. */
interface DueTrigger {
  readonly environment: Scope["environment"];
  readonly trigger_id: string;
  /** `null`: another transaction holds the gate, or the trigger was removed. */
  readonly overlap: Overlap | null;
  readonly max_open_runs: number | null;
  readonly is_held: boolean;
  readonly is_removed: boolean;
}

/** Its firings. Their numbers are in order of creation. */
interface QueuedFirings {
  readonly leased: number;
  readonly open: number;
  /** The first that are due and that a person asked for. */
  readonly manual: readonly number[];
  /** The first of the others that are due. */
  readonly due: readonly number[];
  /** The first and the last of the others, due or not. */
  readonly oldest: number | null;
  readonly newest: number | null;
  readonly newest_is_due: boolean | null;
  /** How many of the others before the newest have a lease that has ended. */
  readonly lapsed: number;
}

interface Judged {
  readonly trigger: DueTrigger;
  readonly verdict: GateVerdict;
  readonly queued: QueuedFirings;
}

/** A trigger whose firings before a number are skipped. */
interface Ending {
  readonly trigger: DueTrigger;
  readonly reason: "overlap" | "superseded";
  readonly before: number;
  /** How many of them have a lease that has ended. */
  readonly lapsed: number;
}

/** A firing that passes its gate. */
interface Candidate {
  readonly environment: Scope["environment"];
  readonly firing: number;
  /** Number of firings of the same trigger before it, including leased ones. */
  readonly rank: number;
}

interface LeasedRow {
  readonly environment: Scope["environment"];
  readonly trigger_id: string;
  readonly firing_id: string;
  readonly epoch: number;
  readonly requested_by: string | null;
  readonly scheduled_at_ms: number | null;
  readonly received_at_ms: number;
  readonly refire_of: string | null;
  readonly event: number | null;
  readonly id: string;
  readonly type: string;
  readonly digest: string;
  readonly occurred_at_ms: number | null;
  readonly chain_depth: number;
  readonly body: string | null;
  readonly headers: string | null;
}

type Skipped = Awaited<ReturnType<TriggerStore["claim"]>>["skipped"];

/**
 * The queue of pending and waiting firings. A claim moves `due_at_ms` to the end of its lease. If the worker dies, the
 * firing therefore becomes due again without further action.
 *
 * A claim locks the gates of all triggers with due firings, judges them by what it reads afterwards, and leases what
 * passes. It waits for no other transaction: gates and firings that are locked are left to the next claim.
 */
export function postgresFiringQueue({ database }: PostgresContext): Pick<TriggerStore, "claim"> {
  const statements = firingQueueStatements(database.schema);

  /** Locks the gates of triggers with due firings, and reads their firings. */
  async function judgedTriggers(
    tx: Transaction,
    workspace: string,
    limit: number,
  ): Promise<{
    readonly judged: readonly Judged[];
    readonly nextDueAtMs: number | undefined;
    /** Whether another transaction holds the gate of a trigger with due firings. */
    readonly isLeft: boolean;
  }> {
    const found = await tx.query<DueTrigger & { next_due_at_ms: number | null }>(statements.lockGates, [
      workspace,
      tx.nowMs,
    ]);
    const triggers = found.filter(({ trigger_id: id }) => (id as string | null) !== null);
    for (const { environment, trigger_id: triggerId, is_removed: isRemoved } of triggers) {
      if (isRemoved) await tx.query(statements.endDeleted, [workspace, environment, triggerId]);
    }
    const locked = triggers.filter(({ overlap }) => overlap !== null);
    const queued =
      locked.length === 0
        ? []
        : await tx.query<QueuedFirings>(statements.read, [
            workspace,
            tx.nowMs,
            limit,
            locked.map(({ environment }) => environment),
            locked.map(({ trigger_id: triggerId }) => triggerId),
            // The number of open firings that tells whether one more may start.
            locked.map(({ overlap, max_open_runs: most }) => (overlap === "allow" ? (most ?? 0) : 1)),
          ]);
    const judged = locked.flatMap((trigger, index): readonly Judged[] => {
      const firings = queued[index];
      return firings === undefined ? [] : [{ trigger, queued: firings, verdict: verdictOf(trigger, firings) }];
    });
    const isLeft = triggers.some(({ overlap, is_removed: isRemoved }) => overlap === null && !isRemoved);
    return { judged, nextDueAtMs: found[0]?.next_due_at_ms ?? undefined, isLeft };
  }

  /**
   * Ends the firings that the verdicts skip.
   *
   * @returns as well the triggers with a firing whose lease has ended and that was not found free: its run may be starting
   */
  async function end(
    tx: Transaction,
    workspace: string,
    judged: readonly Judged[],
  ): Promise<{ readonly skipped: Skipped; readonly starting: ReadonlySet<DueTrigger> }> {
    const ending = judged.flatMap(({ trigger, verdict, queued }): readonly Ending[] => {
      if (verdict.kind === "skip") return [{ trigger, reason: "overlap", before: Number.MAX_SAFE_INTEGER, lapsed: 0 }];
      const { newest, lapsed } = queued;
      if (verdict.kind === "newest") return [{ trigger, reason: "superseded", before: newest ?? 0, lapsed }];
      return [];
    });
    if (ending.length === 0) return { skipped: [], starting: new Set() };
    const rows = await tx.query<{ number: number; count: number; lapsed: number }>(statements.end, [
      workspace,
      tx.nowMs,
      ending.map(({ trigger }) => trigger.environment),
      ending.map(({ trigger }) => trigger.trigger_id),
      ending.map(({ reason }) => reason),
      ending.map(({ before }) => before),
    ]);
    const ended = new Map(rows.map((row) => [ending[row.number - 1], row]));
    const skipped = ending.flatMap((one) => {
      const { environment, trigger_id: triggerId } = one.trigger;
      const count = ended.get(one)?.count ?? 0;
      return count === 0 ? [] : [{ scope: { workspace, environment }, triggerId, reason: one.reason, count }];
    });
    const starting = ending.filter((one) => (ended.get(one)?.lapsed ?? 0) < one.lapsed).map(({ trigger }) => trigger);
    return { skipped, starting: new Set(starting) };
  }

  /** Makes those firings wait that the verdicts hold back. */
  async function holdBack(tx: Transaction, workspace: string, judged: readonly Judged[]): Promise<void> {
    const waiting = judged.flatMap(({ trigger, verdict }) => {
      if (verdict.kind === "some" && verdict.most !== Infinity) return [{ ...trigger, passing: verdict.most }];
      return verdict.kind === "newest" && !verdict.passes ? [{ ...trigger, passing: 0 }] : [];
    });
    if (waiting.length === 0) return;
    await tx.query(statements.holdBack, [
      workspace,
      tx.nowMs,
      waiting.map(({ environment }) => environment),
      waiting.map(({ trigger_id: triggerId }) => triggerId),
      waiting.map(({ passing }) => passing),
    ]);
  }

  async function lease(
    tx: Transaction,
    workspace: string,
    chosen: readonly Candidate[],
    leaseMs: number,
  ): Promise<readonly ClaimedFiring[]> {
    if (chosen.length === 0) return [];
    const numbers = chosen.map(({ firing }) => firing);
    const rows = await tx.query<LeasedRow>(statements.lease, [numbers, tx.nowMs, tx.nowMs + leaseMs]);
    return rows.map((row) => claimedOf(workspace, row));
  }

  return {
    claim: ({ workspace, limits, leaseMs }) =>
      database.transaction(async (tx) => {
        const limit = Math.max(...Object.values(limits));
        const { judged, nextDueAtMs, isLeft } = await judgedTriggers(tx, workspace, limit);
        const { skipped, starting } = await end(tx, workspace, judged);
        await holdBack(tx, workspace, judged);
        const chosen = chosenOf(
          judged.filter(({ trigger }) => !starting.has(trigger)),
          limits,
        );
        const firings = await lease(tx, workspace, chosen, leaseMs);
        if (firings.length > 0) {
          await tx.query(statements.checkOpen, [
            workspace,
            judged.map(({ trigger }) => trigger.environment),
            judged.map(({ trigger }) => trigger.trigger_id),
            // Twice as many as start at most: the number of firings that are yet to be found ended stays small.
            2 * limit,
          ]);
        }
        // Another transaction holds the others, or has changed them since they were read.
        const isDueNow = isLeft || starting.size > 0 || firings.length < chosen.length;
        return { firings, skipped, nextDueAtMs: isDueNow ? tx.nowMs : nextDueAtMs };
      }),
  };
}

function verdictOf({ overlap, max_open_runs: most, is_held: isHeld }: DueTrigger, queued: QueuedFirings): GateVerdict {
  return judgeGate({ overlap: overlap ?? "queue", maxOpenRuns: most ?? undefined, isHeld }, queued);
}

/** The passing firings in their order: of each environment as many as the limit, triggers in turn. */
function chosenOf(judged: readonly Judged[], limits: Readonly<Record<Environment, number>>): readonly Candidate[] {
  const passing = judged.flatMap(({ trigger: { environment }, verdict, queued }) => {
    const firings = [...queued.manual, ...passingOf(verdict, queued)].sort((a, b) => a - b);
    return firings.map((firing, index): Candidate => ({ environment, firing, rank: queued.leased + index }));
  });
  const ofEnvironments = Map.groupBy(passing.sort(inTurn), ({ environment }) => environment);
  return [...ofEnvironments]
    .flatMap(([environment, candidates]) => candidates.slice(0, limits[environment]))
    .sort(inTurn);
}

function passingOf(verdict: GateVerdict, { due, oldest, newest, newest_is_due }: QueuedFirings): readonly number[] {
  switch (verdict.kind) {
    case "some":
      return due.slice(0, verdict.most);
    case "oldest":
      return due.slice(0, 1).filter((firing) => firing === oldest);
    case "newest":
      return verdict.passes && newest !== null && newest_is_due === true ? [newest] : [];
    case "none":
    case "skip":
      return [];
  }
}

function inTurn(a: Candidate, b: Candidate): number {
  return a.rank - b.rank || a.firing - b.firing;
}

function claimedOf(workspace: string, row: LeasedRow): ClaimedFiring {
  return {
    scope: { workspace, environment: row.environment },
    triggerId: row.trigger_id,
    firingId: row.firing_id,
    epoch: row.epoch,
    requestedBy: row.requested_by ?? undefined,
    scheduledAtMs: row.scheduled_at_ms ?? undefined,
    occurredAtMs: row.occurred_at_ms ?? undefined,
    receivedAtMs: row.received_at_ms,
    refireOf: row.refire_of ?? undefined,
    event:
      row.event === null
        ? undefined
        : { id: row.id, type: row.type, digest: row.digest, content: contentOf(row), chainDepth: row.chain_depth },
  };
}

/** The content of a stored event; `undefined` once retention removed it. */
export function contentOf({ body, headers }: Pick<LeasedRow, "body" | "headers">): EventContent | undefined {
  return body === null ? undefined : { body, headers: headers ?? undefined };
}
