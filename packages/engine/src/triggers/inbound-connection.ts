import { ProcedoError } from "@procedo/contract";
import type { RecordRow, Scope } from "@procedo/storage";
import { connectionBody } from "../connections/connection-record.ts";
import type { InboundTraffic } from "../connections/inbound-traffic.ts";
import type { InboundMessage } from "../integrations/inbound-integration.ts";
import { openInboundService } from "./inbound-service.ts";
import type { InboundTarget } from "./inbound-target.ts";
import type { ReceivedRequest } from "./received-request.ts";

const maxEvents = 1_000;

/** Opens a connection for requests of its service. @throws ProcedoError `decryption_failed` */
export function inboundConnection(
  ports: Parameters<typeof openInboundService>[0] & { readonly traffic: Pick<InboundTraffic, "received" | "refused"> },
  scope: Scope,
  row: RecordRow,
): InboundTarget | undefined {
  const service = openInboundService(ports, scope, row);
  if (service === undefined) return undefined;
  const { inbound, settings, secrets } = service;
  const types = new Set(inbound.events.map(({ type }) => type));
  const messageOf = ({ header, body, json, nowMs }: ReceivedRequest): InboundMessage => {
    return { header, body, json, settings, secrets, environment: scope.environment, nowMs };
  };

  const guarded = <T>(call: () => T): T => {
    try {
      return call();
    } catch (error) {
      if (ProcedoError.isError(error) && error.status < 500) throw error;
      const { integration } = connectionBody(row);
      const message = `The integration "${integration}" failed on a request: ${service.reasonOf(error)}`;
      throw new ProcedoError("internal", message);
    }
  };

  return {
    batch: { scope, source: row.id },
    subject: `Connection "${row.id}"`,
    refusalStatus: inbound.refusalStatus ?? 401,
    verify: (request) => (guarded(() => inbound.verify(messageOf(request))) ? { signedAtMs: undefined } : undefined),
    handshake: (request) => guarded(() => inbound.handshake?.(messageOf(request))),
    events: (request) => {
      const parsed = guarded(() => inbound.parse(messageOf(request)));
      if (parsed === "other_environment") return parsed;
      if (parsed.length > maxEvents) {
        throw new ProcedoError("payload_too_large", `The request has more than ${maxEvents} events.`);
      }
      return parsed.filter(({ type }) => types.has(type)).map((event) => service.incoming(event, request.nowMs));
    },
    received: () => ports.traffic.received(row.id),
    refused: () => ports.traffic.refused(row.id),
  };
}
