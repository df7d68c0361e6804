import type { Environment } from "@procedo/contract";
import type { RecordStore } from "@procedo/storage";
import { triggerBody, triggerKind } from "./trigger-record.ts";

const batch = 200;

/** The names of the triggers that take events of a connection, by its name. */
export async function triggersOfConnection(
  { records, workspace }: { readonly records: Pick<RecordStore, "list">; readonly workspace: string },
  environment: Environment,
  connection: string,
): Promise<readonly string[]> {
  const names: string[] = [];
  for (let after: string | undefined; ;) {
    const query = { workspace, environment, kind: triggerKind, limit: batch };
    const { items } = await records.list(after === undefined ? query : { ...query, after });
    for (const row of items) {
      const { name, source } = triggerBody(row);
      if (source.kind === "integration" && source.connection === connection) names.push(name);
    }
    after = items.at(-1)?.id;
    if (items.length < batch) return names;
  }
}
