import type { IncomingEvent, RecordRow, Scope } from "@procedo/storage";
import { toStorable, triggerEventKey } from "@procedo/storage";
import type { InboundTraffic } from "../connections/inbound-traffic.ts";
import { createRedactor } from "../secrets/redact.ts";
import type { SecretBox } from "../secrets/secret-box.ts";
import type { Random } from "../ports/random.ts";
import { createDedupe } from "./inbound-dedupe.ts";
import { proofHeaders, verifyScheme } from "./inbound-schemes/verify-scheme.ts";
import { maxEventIdLength, type InboundTarget } from "./inbound-target.ts";
import type { ReceivedRequest } from "./received-request.ts";
import { triggerBody, triggerSecrets } from "./trigger-record.ts";

/** The type of every request to a webhook trigger. */
const eventType = "webhook";

/** Opens a webhook trigger for requests. @throws ProcedoError `decryption_failed` */
export function inboundTrigger(
  {
    secretBox,
    random,
    triggerTraffic,
  }: {
    readonly secretBox: SecretBox;
    readonly random: Pick<Random, "bytes">;
    readonly triggerTraffic: Pick<InboundTraffic, "received" | "refused">;
  },
  scope: Scope,
  row: RecordRow,
): InboundTarget | undefined {
  const { source, inbound } = triggerBody(row);
  if (source.kind !== "webhook" || inbound === undefined) return undefined;
  const { authentication, dedupe } = source;
  const opened = triggerSecrets(secretBox, scope, row.id).open(inbound);
  const redactor = createRedactor(opened.map(({ secret }) => secret));
  const dedupeOf = createDedupe(dedupe, random);
  const keys = [triggerEventKey(scope, row.id, undefined)];
  const left = new Set([...neverStored, ...proofHeaders(authentication)]);

  return {
    batch: { scope, source: row.id },
    isOfTrigger: true,
    subject: `Trigger "${row.id}"`,
    refusalStatus: 401,
    verify: (request) => {
      const accepted = opened.filter(({ expiresAtMs }) => expiresAtMs > request.nowMs);
      return verifyScheme(
        authentication,
        request,
        accepted.map(({ secret }) => secret),
      );
    },
    handshake: () => undefined,
    events: (request, { signedAtMs }) => {
      const event = redactor.value(request.json());
      const headers = redactor.value(keptHeaders(request, left)) as Readonly<Record<string, string>>;
      const { id, dedupeKey, dedupeForMs } = dedupeOf({ event, headers, digest: request.digest });
      return [
        {
          id: toStorable(id.slice(0, maxEventIdLength)),
          type: eventType,
          digest: request.digest,
          body: JSON.stringify(event),
          headers: JSON.stringify(headers),
          keys,
          dedupeKey,
          dedupeForMs,
          occurredAtMs: signedAtMs,
        } satisfies IncomingEvent,
      ];
    },
    received: () => triggerTraffic.received(row.id),
    refused: () => triggerTraffic.refused(row.id),
  };
}

/** Credentials that a request may carry in addition to its proof. */
const neverStored = ["authorization", "cookie", "proxy-authorization"];

/** Names of headers with a credential: a second signature of the service, or what a proxy in between adds. */
const credentialNames = /signature|token|secret|password|assertion|api-?key|credential/;

function keptHeaders({ headers }: ReceivedRequest, left: ReadonlySet<string>): Record<string, string> {
  const kept = [...headers].filter(([name]) => !left.has(name) && !credentialNames.test(name));
  return Object.fromEntries(kept.map(([name, lines]) => [name, toStorable(lines.join(", "))]));
}
