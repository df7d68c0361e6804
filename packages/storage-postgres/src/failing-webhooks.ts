import type { Scope } from "@procedo/storage";
import type { PostgresContext } from "./context.ts";
import type { Transaction } from "./database.ts";
import type { SqlValue, Statement } from "./statement.ts";

/** What an attempt says of its webhook: it was accepted, or not. */
export interface Verdict {
  readonly scope: Scope;
  readonly webhookId: string;
  readonly atMs: number;
  readonly accepted: boolean;
}

/** Verdicts on one webhook that say the same, one after the other: the first of them is what counts. */
interface Spell {
  readonly first: Verdict;
  /** Places in the list of verdicts. */
  readonly members: number[];
}

/** Remembers since when webhooks fail; of one that was removed nothing. */
export interface FailingWebhooks {
  /** @returns since when the webhook of each verdict fails, after it */
  judge(tx: Transaction, verdicts: readonly Verdict[]): Promise<readonly (number | undefined)[]>;
}

export function failingWebhooks({ database }: PostgresContext): FailingWebhooks {
  const records = `${database.schema}.records`;
  const named = `records.kind = 'webhook' AND records.workspace = verdict.workspace
              AND records.environment = verdict.environment AND records.id = verdict.id`;
  // Locked in the order of their names, as a batch may be about webhooks of which another batch says the opposite.
  const judge: Statement = {
    name: "webhooks-judge",
    text: `WITH held AS MATERIALIZED (
             SELECT record, accepted, at_ms, number
               FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::boolean[]) WITH ORDINALITY
                      AS verdict (workspace, environment, id, at_ms, accepted, number)
                    CROSS JOIN LATERAL (SELECT record FROM ${records}
                                         WHERE ${named} AND (NOT accepted OR failing_since_ms IS NOT NULL)
                                           FOR NO KEY UPDATE) AS webhook
           )
           UPDATE ${records} SET failing_since_ms = CASE WHEN accepted THEN NULL ELSE coalesce(failing_since_ms, at_ms) END
             FROM held WHERE records.record = held.record
           RETURNING number, failing_since_ms AS since`,
  };

  return {
    async judge(tx, verdicts) {
      const since = verdicts.map((): number | undefined => undefined);
      const spells = spellsOf(verdicts);
      // In one turn each webhook has one spell: nearly always there is one turn.
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

/** Of each webhook, in the order of their names, in which all transactions write to them. */
function spellsOf(verdicts: readonly Verdict[]): readonly (readonly Spell[])[] {
  const webhooks = new Map<string, Spell[]>();
  for (const [index, verdict] of verdicts.entries()) {
    const name = JSON.stringify([verdict.scope.workspace, verdict.scope.environment, verdict.webhookId]);
    const spells = webhooks.get(name) ?? [];
    webhooks.set(name, spells);
    const last = spells.at(-1);
    if (last?.first.accepted === verdict.accepted) last.members.push(index);
    else spells.push({ first: verdict, members: [index] });
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
