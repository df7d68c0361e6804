import { ProcedoError, type BackfilledTrigger, type Environment, type IntegrationSource } from "@procedo/contract";
import type { Storage } from "@procedo/storage";
import { connectionKind, nameKey } from "../connections/connection-record.ts";
import { whileOutside, type OutsideOptions } from "../egress/outside.ts";
import type { InboundEvent } from "../integrations/inbound-integration.ts";
import type { Clock } from "../ports/clock.ts";
import { askInboundService, type AskPorts } from "./ask-inbound-service.ts";
import { checkedEvents } from "./checked-events.ts";
import { maxBacklog } from "./create-inbound.ts";
import { openInboundService, type InboundService } from "./inbound-service.ts";
import { invalidMember } from "./trigger-errors.ts";

export interface BackfillPorts
  extends AskPorts, Pick<Parameters<typeof openInboundService>[0], "secretBox" | "integrations"> {
  readonly storage: Pick<Storage, "records" | "triggers">;
  readonly workspace: string;
  readonly clock: Pick<Clock, "now" | "after">;
}

/** A period of the past, in milliseconds since the epoch: from its beginning to before its end. */
export interface Period {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Longest time for the service to list its events. */
const listMs = 15_000;
/** How many times or events a backfill fires at most. */
export const maxBackfilled = 100;

/**
 * Takes the events that a service lists of a past period as if they arrived now: each trigger that takes one gets a
 * firing, and one that had arrived before is known.
 *
 * @param options.before - awaited once there are events, before they are taken
 * @throws ProcedoError `connection_not_found`, `upstream_unreachable`, `inbound_unavailable`; `invalid_input` if the
 *   service cannot list its events, or lists too many
 */
export async function backfillEvents(
  ports: BackfillPorts,
  { environment, source }: { readonly environment: Environment; readonly source: IntegrationSource },
  period: Period,
  { outside, before }: OutsideOptions & { readonly before: () => Promise<void> },
): Promise<BackfilledTrigger> {
  const { storage, workspace, clock } = ports;
  const scope = { workspace, environment };
  const uniqueKey = nameKey(workspace, environment, source.connection);
  const row = await storage.records.find({ kind: connectionKind, uniqueKey });
  const service = row === undefined ? undefined : openInboundService(ports, scope, row);
  if (row === undefined || service === undefined) {
    const message = `There is no connection "${source.connection}" in ${environment} whose service sends events.`;
    throw new ProcedoError("connection_not_found", message);
  }
  const events = await whileOutside(outside, () => list(ports, service, period, { environment, source }));
  if (events.length > maxBackfilled) throw tooMany("events");
  if (events.length === 0) return { added: 0, known: 0 };
  await before();
  const incoming = events.map((event) => service.incoming(event, { nowMs: clock.now() }));
  const taken = await storage.triggers.take({ scope, source: row.id, events: incoming, maxBacklog });
  if (taken === "backlog") {
    const message = `A trigger has ${maxBacklog} firings that wait. Repeat the request once they have started.`;
    throw new ProcedoError("inbound_unavailable", message);
  }
  const added = taken.filter(({ status }) => status === "taken").length;
  return { added, known: taken.filter(({ status }) => status === "known").length };
}

export function tooMany(what: "times" | "events"): ProcedoError {
  return invalidMember("/from", `makes a period with more than ${maxBackfilled} ${what}, the most that fire at once`);
}

async function list(
  ports: BackfillPorts,
  service: InboundService,
  period: Period,
  { environment, source }: { readonly environment: Environment; readonly source: IntegrationSource },
): Promise<readonly InboundEvent[]> {
  const { inbound } = service;
  const { connection, events: types } = source;
  const listEvents = inbound.list?.bind(inbound);
  if (listEvents === undefined) throw invalidMember("/from", "is for services that can list their events");
  try {
    const listed: unknown = await askInboundService(ports, service, { environment, connection }, listMs, (context) =>
      listEvents({ ...period, ...context, types }),
    );
    return checkedEvents(listed, new Set(types));
  } catch (error) {
    const message = `The events of connection "${connection}" could not be listed: ${service.reasonOf(error)}`;
    throw new ProcedoError("upstream_unreachable", message);
  }
}
