import { hash } from "node:crypto";
import type { JsonValue } from "@procedo/contract";
import { strictJson } from "../json/strict-json.ts";
import type { InboundRequest } from "./inbound.ts";

/** A request to an inbound address, as its target reads it. */
export interface ReceivedRequest {
  readonly headers: InboundRequest["headers"];
  /** The lines of a header by its name in any case; empty without it. */
  readonly header: (name: string) => readonly string[];
  readonly body: Uint8Array;
  /** SHA-256 of the body, hex. */
  readonly digest: string;
  /** @throws ProcedoError see {@link strictJson} */
  readonly json: () => JsonValue;
  readonly nowMs: number;
}

export function receivedRequest({ headers, body }: InboundRequest, nowMs: number): ReceivedRequest {
  let read: { readonly value: JsonValue } | undefined;
  return {
    headers,
    header: (name) => headers.get(name.toLowerCase()) ?? [],
    body,
    digest: hash("sha256", body, "hex"),
    json: () => (read ??= { value: strictJson(body) }).value,
    nowMs,
  };
}
