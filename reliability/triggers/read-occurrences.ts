import { runTriggerSchema } from "@procedo/contract";
import type { FiringRow, RunRow, Storage } from "@procedo/storage";
import type { TriggeredRun } from "./judge-occurrences.ts";

/** The firings of each trigger by its name, and every run that names a trigger, as storage has them. */
export interface StoredOccurrences {
  readonly triggers: ReadonlyMap<string, StoredTrigger>;
  readonly runs: readonly TriggeredRun[];
}

export interface StoredTrigger {
  readonly triggerId: string;
  readonly createdAtMs: number;
  readonly firings: readonly FiringRow[];
}

const limit = 1_000;

export async function readOccurrences(
  storage: Pick<Storage, "records" | "triggers" | "runs">,
  scope: FiringRow["scope"],
): Promise<StoredOccurrences> {
  const triggers = new Map<string, StoredTrigger>();
  const records = await storage.records.list({ ...scope, kind: "trigger", limit });
  for (const { id: triggerId, body } of records.items) {
    const firings = await all((cursor) => storage.triggers.list({ scope, triggerId, limit, ...cursor }));
    const { name, createdAtMs } = JSON.parse(body) as { readonly name: string; readonly createdAtMs: number };
    triggers.set(name, { triggerId, createdAtMs, firings });
  }
  const runs = await all((cursor) => storage.runs.list({ scope, limit, ...cursor }));
  return { triggers, runs: runs.flatMap(triggeredRun) };
}

function triggeredRun({ runId, trigger }: RunRow): readonly TriggeredRun[] {
  return trigger === undefined ? [] : [{ runId, trigger: runTriggerSchema.parse(JSON.parse(trigger)) }];
}

/** The items of all pages. */
async function all<Item>(
  read: (cursor: { readonly cursor?: string }) => Promise<{
    readonly items: readonly Item[];
    readonly nextCursor: string | undefined;
  }>,
): Promise<readonly Item[]> {
  const items: Item[] = [];
  let cursor: string | undefined;
  do {
    const page = await read(cursor === undefined ? {} : { cursor });
    items.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return items;
}
