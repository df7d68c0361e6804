import type { Scope } from "@procedo/storage";
import type { PostgresContext } from "./context.ts";
import type { Transaction } from "./database.ts";
import type { Statement } from "./statement.ts";

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
  const clear: Statement = {
    name: "webhooks-accepted",
    text: `UPDATE ${records} SET failing_since_ms = NULL
             FROM unnest($1::text[], $2::text[], $3::text[]) AS verdict (workspace, environment, id)
            WHERE ${named} AND failing_since_ms IS NOT NULL`,
  };
  const mark: Statement = {
    name: "webhooks-failed",
    text: `UPDATE ${records} SET failing_since_ms = coalesce(failing_since_ms, verdict.at_ms)
             FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[]) WITH ORDINALITY
                    AS verdict (workspace, environment, id, at_ms, number)
            WHERE ${named} RETURNING number, failing_since_ms AS since`,
  };

  return {
    async judge(tx, verdicts) {
      const since = verdicts.map((): number | undefined => undefined);
      const spells = spellsOf(verdicts);
      // In one turn each webhook has one spell: nearly always there is one turn.
      for (let turn = 0; ; turn++) {
        const current = spells.flatMap((ofWebhook) => ofWebhook[turn] ?? []);
        if (current.length === 0) return since;
        const accepted = current.filter(({ first }) => first.accepted);
        if (accepted.length > 0) await tx.query(clear, namesOf(accepted));
        const failed = current.filter(({ first }) => !first.accepted);
        if (failed.length === 0) continue;
        const values = [...namesOf(failed), failed.map(({ first }) => first.atMs)];
        for (const row of await tx.query<{ number: number; since: number }>(mark, values)) {
          for (const member of failed[row.number - 1]?.members ?? []) since[member] = row.since;
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

function namesOf(spells: readonly Spell[]): readonly (readonly string[])[] {
  return [
    spells.map(({ first }) => first.scope.workspace),
    spells.map(({ first }) => first.scope.environment),
    spells.map(({ first }) => first.webhookId),
  ];
}
