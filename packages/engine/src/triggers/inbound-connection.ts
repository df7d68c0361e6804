import { maxRequestBytes, ProcedoError, type JsonValue } from "@procedo/contract";
import { isHeaderValue } from "@procedo/contract/syntax";
import type { IncomingEvent, RecordRow, Scope } from "@procedo/storage";
import { connectionBody } from "../connections/connection-record.ts";
import type { InboundTraffic } from "../connections/inbound-traffic.ts";
import type { InboundHandshake, InboundMessage } from "../integrations/inbound-integration.ts";
import { askInboundService, type AskPorts } from "./ask-inbound-service.ts";
import { checkedEvents } from "./checked-events.ts";
import type { InboundKeys } from "./inbound-keys.ts";
import { openInboundService } from "./inbound-service.ts";
import type { InboundTarget } from "./inbound-target.ts";
import type { ReceivedRequest } from "./received-request.ts";

/** Longest time for the service to name a key. A request to an inbound address is answered within 4.5 s. */
const keyMs = 3_000;
const maxKeyIdLength = 200;
const maxEvents = 1_000;
/** Of the events of one request together, as JSON. An integration may repeat parts of the body in each of them. */
const maxCharacters = 4 * maxRequestBytes;

/** Opens a connection for requests of its service. @throws ProcedoError `decryption_failed` */
export function inboundConnection(
  ports: Parameters<typeof openInboundService>[0] &
    AskPorts & {
      readonly connectionTraffic: Pick<InboundTraffic, "received" | "refused">;
      readonly inboundKeys: InboundKeys;
    },
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

  const place = { environment: scope.environment, connection: connectionBody(row).name };
  /** The key that a request names, where the service publishes keys. */
  const keyOf = async (message: InboundMessage): Promise<JsonValue | undefined> => {
    const { keys } = inbound;
    const id: unknown = keys?.idOf(message);
    if (keys === undefined || !isKeyId(id)) return undefined;
    return await ports.inboundKeys.of(row.id, id, (keyId) =>
      askInboundService(ports, service, place, keyMs, (context) => keys.fetch(keyId, context)).catch(
        (error: unknown) => {
          throw new Error(service.reasonOf(error));
        },
      ),
    );
  };

  /** Calls the integration's own code, whose errors may name a secret. */
  const guarded = <T>(call: () => T): T => {
    try {
      const result = call();
      // A function that was written without types may be asynchronous. Its failure must not end the process.
      if (result instanceof Promise) result.catch(() => {});
      return result;
    } catch (error) {
      if (ProcedoError.isError(error) && error.status < 500) throw error;
      const { integration } = connectionBody(row);
      const message = `The integration "${integration}" failed on a request: ${service.reasonOf(error)}`;
      throw new ProcedoError("internal", message);
    }
  };

  return {
    batch: { scope, source: row.id },
    isOfTrigger: false,
    subject: `Connection "${row.id}"`,
    refusalStatus: inbound.refusalStatus ?? 401,
    verify: async (request) => {
      const message = messageOf(request);
      const answer: unknown = inbound.verify({ ...message, key: await keyOf(message) });
      // A promise is no proof.
      if (answer instanceof Promise) answer.catch(() => {});
      return answer === true ? { signedAtMs: undefined } : undefined;
    },
    handshake: (request) => checkedHandshake(guarded(() => inbound.handshake?.(messageOf(request)))),
    events: (request) => {
      const parsed = guarded(() => inbound.parse(messageOf(request)));
      if (parsed === "other_environment") return parsed;
      if (Array.isArray(parsed) && parsed.length > maxEvents) {
        throw new ProcedoError("payload_too_large", `The request has more than ${maxEvents} events.`);
      }
      const events: IncomingEvent[] = [];
      let characters = 0;
      for (const event of guarded(() => checkedEvents(parsed, types))) {
        const incoming = service.incoming(event, request);
        characters += incoming.body.length;
        if (characters > maxCharacters) {
          throw new ProcedoError("payload_too_large", `The events have more than ${maxCharacters} characters.`);
        }
        events.push(incoming);
      }
      return events;
    },
    received: () => ports.connectionTraffic.received(row.id),
    refused: () => ports.connectionTraffic.refused(row.id),
  };
}

function isKeyId(given: unknown): given is string {
  return typeof given === "string" && given !== "" && given.length <= maxKeyIdLength;
}

function checkedHandshake(given: unknown): InboundHandshake | undefined {
  if (given === undefined) return undefined;
  const { contentType, text } = (given ?? {}) as Partial<Record<keyof InboundHandshake, unknown>>;
  if (typeof contentType === "string" && isHeaderValue(contentType) && typeof text === "string") {
    return { contentType, text };
  }
  throw new ProcedoError("internal", "The integration's handshake is neither undefined nor a content type and a text.");
}
