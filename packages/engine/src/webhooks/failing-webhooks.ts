import type { Environment } from "@procedo/contract";
import type { Storage } from "@procedo/storage";
import { webhookBody, webhookKind } from "./webhook-record.ts";

interface FailingPorts {
  readonly storage: Pick<Storage, "deliveries" | "records">;
  readonly workspace: string;
}

/** The marks of those of these webhooks that are failing, by their ids. */
export async function failingMarks(
  { storage, workspace }: Pick<FailingPorts, "workspace"> & { readonly storage: Pick<Storage, "deliveries"> },
  environment: Environment,
  webhookIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (webhookIds.length === 0) return new Map();
  const marks = await storage.deliveries.failing({ scope: { workspace, environment }, webhookIds });
  return new Map(marks.map(({ webhookId, sinceMs }) => [webhookId, sinceMs]));
}

/** Webhooks that are read at a time, and the most that are read. */
const atOnce = 100;
const maxCounted = 1_000;

/**
 * The number of webhooks that call for a person: active ones that are failing, and those that the service deactivated.
 * At most 1,000 webhooks are examined, in the order of their ids.
 */
export async function countFailingWebhooks(ports: FailingPorts, environment: Environment): Promise<number> {
  const { storage, workspace } = ports;
  const query = { workspace, environment, kind: webhookKind, limit: atOnce };
  let count = 0;
  let cursor: string | undefined;
  for (let examined = 0; examined < maxCounted; examined += atOnce) {
    const page = await storage.records.list({ ...query, ...(cursor !== undefined && { cursor }) });
    const marks = await failingMarks(
      ports,
      environment,
      page.items.map(({ id }) => id),
    );
    count += page.items.filter((row) => {
      const { isActive, deactivated } = webhookBody(row);
      return isActive ? marks.has(row.id) : deactivated?.isByService === true;
    }).length;
    cursor = page.nextCursor;
    if (cursor === undefined) break;
  }
  return count;
}
