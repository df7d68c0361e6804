import { hash } from "node:crypto";
import { ProcedoError } from "@procedo/contract";
import { toStorable, triggerEventKey, type IncomingEvent, type RecordRow, type Scope } from "@procedo/storage";
import { connectionBody } from "../connections/connection-record.ts";
import { connectionSecrets } from "../connections/connection-secrets.ts";
import type { InboundTraffic } from "../connections/inbound-traffic.ts";
import type { InboundEvent, InboundMessage } from "../integrations/inbound-integration.ts";
import type { Integration } from "../integrations/integration.ts";
import { errorText } from "../ports/log.ts";
import { createRedactor } from "../secrets/redact.ts";
import type { SecretBox } from "../secrets/secret-box.ts";
import { dedupeWindowMs, maxEventIdLength, type InboundTarget } from "./inbound-target.ts";
import type { ReceivedRequest } from "./received-request.ts";
import { connectionOrigin } from "./trigger-record.ts";

const maxEvents = 1_000;
const maxReasonLength = 500;

/** Opens a connection for requests of its service. @throws ProcedoError `decryption_failed` */
export function inboundConnection(
  ports: {
    readonly secretBox: SecretBox;
    readonly integrations: ReadonlyMap<string, Integration>;
    readonly traffic: Pick<InboundTraffic, "received" | "refused">;
  },
  scope: Scope,
  row: RecordRow,
): InboundTarget | undefined {
  const { name, integration: integrationName, settings, secrets: sealed } = connectionBody(row);
  const integration = ports.integrations.get(integrationName);
  if (integration?.kind !== "coded" || integration.inbound === undefined) return undefined;
  const { inbound } = integration;
  const { workspace, environment } = scope;
  const secrets = connectionSecrets(ports.secretBox, workspace, environment, row.id).open(sealed);
  const redactor = createRedactor(Object.values(secrets));
  const types = new Set(inbound.events.map(({ type }) => type));
  const messageOf = ({ header, body, json, nowMs }: ReceivedRequest): InboundMessage => {
    return { header, body, json, settings, secrets, environment, nowMs };
  };

  /** The integration's own code may name a secret in its error, which the log would show. */
  const guarded = <T>(call: () => T): T => {
    try {
      return call();
    } catch (error) {
      if (ProcedoError.isError(error) && error.status < 500) throw error;
      const reason = redactor.cut(errorText(error), maxReasonLength);
      throw new ProcedoError("internal", `The integration "${integrationName}" failed on a request: ${reason}`);
    }
  };

  const incoming = ({ id, type, occurredAtMs, event }: InboundEvent, nowMs: number): IncomingEvent => {
    const body = JSON.stringify(redactor.value(event));
    return {
      id: toStorable(id.slice(0, maxEventIdLength)),
      type: toStorable(type),
      digest: hash("sha256", body, "hex"),
      body,
      headers: undefined,
      keys: [triggerEventKey(scope, connectionOrigin(name), type)],
      dedupeKey: isKept(id) ? id : `sha256 ${hash("sha256", id, "hex")}`,
      dedupeForMs: dedupeWindowMs,
      occurredAtMs,
      // A signed body without a time could otherwise come back after its dedupe key is gone.
      ...(occurredAtMs !== undefined && nowMs - occurredAtMs > dedupeWindowMs && { skip: "too_old" as const }),
    };
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
      return parsed.filter(({ type }) => types.has(type)).map((event) => incoming(event, request.nowMs));
    },
    received: () => ports.traffic.received(row.id),
    refused: () => ports.traffic.refused(row.id),
  };
}

/** Whether an id can be stored as it is. */
function isKept(id: string): boolean {
  return id.length <= maxEventIdLength && toStorable(id) === id;
}
