import { cutPage, decodeCursor, type Page } from "@procedo/storage";
import { showTriggers, type ShowPorts } from "./show-trigger.ts";
import type { StoredTrigger, StoredTriggers } from "./stored-triggers.ts";
import type { TriggerView, Triggers } from "./triggers.ts";

/** See `Triggers.list`. An environment has 1,000 triggers at most, so that a page may look at all of them. */
export async function listTriggers(
  ports: ShowPorts & { readonly triggers: StoredTriggers },
  { environment, procedureId, kind, connection, state, limit, cursor }: Parameters<Triggers["list"]>[0],
): Promise<Page<TriggerView>> {
  const query = ["triggers", ports.workspace, environment, procedureId, kind, connection, state];
  const [after = ""] = decodeCursor(query, cursor, ["string"]) ?? [];
  const isWanted = ({ body: { source, paused, ...body } }: StoredTrigger): boolean =>
    (procedureId === undefined || body.procedureId === procedureId) &&
    (kind === undefined || source.kind === kind) &&
    (connection === undefined || (source.kind === "integration" && source.connection === connection)) &&
    (state === undefined || (paused === undefined) === (state === "active"));
  const found: StoredTrigger[] = [];
  for await (const trigger of ports.triggers.all(environment)) {
    if (trigger.triggerId > after && isWanted(trigger)) found.push(trigger);
    if (found.length > limit) break;
  }
  const { items, nextCursor } = cutPage(found, {
    query,
    limit,
    positionOf: ({ triggerId }) => [triggerId],
    itemOf: (trigger) => trigger,
  });
  return { items: await showTriggers(ports, environment, items), nextCursor };
}
