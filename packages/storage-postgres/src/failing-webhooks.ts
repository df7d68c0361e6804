import type { DeliveryStore, FailingMark, Scope } from "@procedo/storage";
import type { PostgresContext } from "./context.ts";
import type { Transaction } from "./database.ts";
import type { SqlValue, Statement } from "./statement.ts";

/** Whether an attempt was accepted by its webhook. */
export interface AttemptResult {
  readonly scope: Scope;
  readonly webhookId: string;
  readonly atMs: number;
  readonly accepted: boolean;
}

/** Consecutive equal results of attempts on one webhook. Only the first one counts. */
interface Spell {
  readonly first: AttemptResult;
  /** Positions in the list of results. */
  readonly members: number[];
}

/** Stores since when webhooks have been failing. Ignores removed webhooks. */
export interface FailingWebhooks {
  /** @returns the time since which the webhook of each attempt has been failing, after the attempt */
  record(tx: Transaction, attemptResults: readonly AttemptResult[]): Promise<readonly (number | undefined)[]>;
  readonly failing: DeliveryStore["failing"];
}

export function failingWebhooks({ database }: PostgresContext): FailingWebhooks {
  const records = `${database.schema}.records`;
  const named = `records.kind = 'webhook' AND records.workspace = attempted.workspace
              AND records.environment = attempted.environment AND records.id = attempted.id`;
  // Locks webhooks in the order of their names: concurrent batches may have opposite results for the same webhooks.
  const judge: Statement = {
    name: "webhooks-judge",
    text: `WITH held AS MATERIALIZED (
             SELECT record, accepted, at_ms, number
               FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::boolean[]) WITH ORDINALITY
                      AS attempted (workspace, environment, id, at_ms, accepted, number)
                    CROSS JOIN LATERAL (SELECT record FROM ${records}
                                         WHERE ${named} AND (NOT accepted OR failing_since_ms IS NOT NULL)
                                           FOR NO KEY UPDATE) AS webhook
           )
           UPDATE ${records} SET failing_since_ms = CASE WHEN accepted THEN NULL ELSE coalesce(failing_since_ms, at_ms) END
             FROM held WHERE records.record = held.record
           RETURNING number, failing_since_ms AS since`,
  };

  const select: Statement = {
    name: "webhooks-failing",
    text: `SELECT id AS "webhookId", failing_since_ms AS "sinceMs" FROM ${records}
            WHERE kind = 'webhook' AND workspace = $1 AND environment = $2 AND id = ANY ($3::text[])
              AND failing_since_ms IS NOT NULL`,
  };

  return {
    failing: ({ scope: { workspace, environment }, webhookIds }) =>
      database.query<FailingMark>(select, [workspace, environment, webhookIds]),

    async record(tx, attemptResults) {
      const since = attemptResults.map((): number | undefined => undefined);
      const spells = spellsOf(attemptResults);
      // Each turn handles one spell per webhook. Usually there is only one turn.
      for (let turn = 0; ; turn++) {
        const current = spells.flatMap((ofWebhook) => ofWebhook[turn] ?? []);
        if (current.length === 0) return since;
        for (const row of await tx.query<{ number: number; since: number | null }>(judge, valuesOf(current))) {
          for (const member of current[row.number - 1]?.members ?? []) since[member] = row.since ?? undefined;
        }
      }
    },
  };
}

/** The spells of each webhook. Webhooks are in the order of their names, in which every transaction writes them. */
function spellsOf(attemptResults: readonly AttemptResult[]): readonly (readonly Spell[])[] {
  const webhooks = new Map<string, Spell[]>();
  for (const [index, attemptResult] of attemptResults.entries()) {
    const name = JSON.stringify([
      attemptResult.scope.workspace,
      attemptResult.scope.environment,
      attemptResult.webhookId,
    ]);
    const spells = webhooks.get(name) ?? [];
    webhooks.set(name, spells);
    const last = spells.at(-1);
    if (last?.first.accepted === attemptResult.accepted) last.members.push(index);
    else spells.push({ first: attemptResult, members: [index] });
  }
  return [...webhooks].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, spells]) => spells);
}

function valuesOf(spells: readonly Spell[]): readonly SqlValue[] {
  return [
    spells.map(({ first }) => first.scope.workspace),
    spells.map(({ first }) => first.scope.environment),
    spells.map(({ first }) => first.webhookId),
    spells.map(({ first }) => first.atMs),
    spells.map(({ first }) => first.accepted),
  ];
}
