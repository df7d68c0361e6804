import { hash } from "node:crypto";
import type { JsonObject } from "@procedo/contract";
import { toStorable, triggerEventKey, type IncomingEvent, type RecordRow, type Scope } from "@procedo/storage";
import { connectionBody } from "../connections/connection-record.ts";
import { connectionSecrets } from "../connections/connection-secrets.ts";
import type { InboundEvent, InboundIntegration } from "../integrations/inbound-integration.ts";
import type { Integration } from "../integrations/integration.ts";
import type { Secrets } from "../integrations/secrets-by-name.ts";
import { errorText } from "../ports/log.ts";
import { createRedactor, type Redactor } from "../secrets/redact.ts";
import type { SecretBox } from "../secrets/secret-box.ts";
import { dedupeWindowMs, maxEventIdLength } from "./inbound-target.ts";
import { connectionOrigin } from "./trigger-record.ts";

const maxReasonLength = 500;

/** A connection whose service sends events, with its secrets in the clear. */
export interface InboundService {
  readonly inbound: InboundIntegration;
  readonly settings: JsonObject;
  readonly secrets: Secrets;
  /** Removes the secrets from texts of the service. */
  readonly redactor: Redactor;
  /**
   * An event of the service for storage, without the secrets of the connection.
   *
   * @param arrival its time and the digest of the request's body; without one, the digest is that of the event
   */
  readonly incoming: (
    event: InboundEvent,
    arrival: { readonly nowMs: number; readonly digest?: string },
  ) => IncomingEvent;
  /** The reason for which the integration's own code failed: it may name a secret, which is removed. */
  readonly reasonOf: (error: unknown) => string;
}

/**
 * Opens a connection. `undefined` unless its service sends events.
 *
 * @throws ProcedoError `decryption_failed`
 */
export function openInboundService(
  ports: { readonly secretBox: SecretBox; readonly integrations: ReadonlyMap<string, Integration> },
  scope: Scope,
  row: RecordRow,
): InboundService | undefined {
  const { name, integration: integrationName, settings, secrets: sealed } = connectionBody(row);
  const integration = ports.integrations.get(integrationName);
  if (integration?.kind !== "coded" || integration.inbound === undefined) return undefined;
  const secrets = connectionSecrets(ports.secretBox, scope.workspace, scope.environment, row.id).open(sealed);
  const redactor = createRedactor(Object.values(secrets));
  return {
    inbound: integration.inbound,
    settings,
    secrets,
    redactor,
    incoming: ({ id, type, occurredAtMs, event, knownForMs = dedupeWindowMs }, { nowMs, digest }) => {
      const body = JSON.stringify(redactor.value(event));
      return {
        id: toStorable(id.slice(0, maxEventIdLength)),
        type: toStorable(type),
        digest: digest ?? hash("sha256", body, "hex"),
        body,
        headers: undefined,
        keys: [triggerEventKey(scope, connectionOrigin(name), type)],
        dedupeKey: isKept(id) ? id : `sha256 ${hash("sha256", id, "hex")}`,
        dedupeForMs: knownForMs,
        occurredAtMs,
        // A signed body without a time could otherwise come back after its dedupe key is gone.
        ...(occurredAtMs !== undefined && nowMs - occurredAtMs > dedupeWindowMs && { skip: "too_old" as const }),
      };
    },
    reasonOf: (error) => redactor.cut(errorText(error), maxReasonLength),
  };
}

/** Whether an id can be stored as it is. */
function isKept(id: string): boolean {
  return id.length <= maxEventIdLength && toStorable(id) === id;
}
