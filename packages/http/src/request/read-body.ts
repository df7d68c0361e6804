import { maxRequestBytes, ProcedoError, requestProblems } from "@procedo/contract";
import * as z from "zod";
import type { BodySpec } from "../operation.ts";
import type { HttpRequest } from "./http-request.ts";
import { invalidRequest } from "./invalid-request.ts";
import { readJson, readLargeJson } from "./read-json.ts";

export type ReadRequestBody =
  | { readonly kind: "read"; readonly body: unknown; readonly byteLength: number }
  /** The caller disconnected during the read; no answer is sent. */
  | { readonly kind: "caller_gone" };

/**
 * Reads and checks the body of an operation.
 *
 * @param ports.coming called with the number of bytes so far after each part; an error that it throws ends the read
 * @param ports.signal aborts the read with the signal's reason
 * @param ports.pause yields to other work between the steps of reading a large body
 * @throws ProcedoError `unsupported_media_type`; `payload_too_large`, also for a list of more than {@link maxListItems}
 *   items; the errors of {@link readJson}; `malformed_request` or `unknown_field` for a body that does not match its
 *   schema
 */
export async function readBody(
  spec: BodySpec,
  request: HttpRequest,
  {
    coming,
    pause,
    signal,
  }: {
    readonly coming: (bytes: number) => void;
    readonly pause: () => Promise<void>;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<ReadRequestBody> {
  const type = request.header("content-type");
  if (type !== undefined && !isJson(type)) throw notJson();
  const encoding = request.header("content-encoding");
  if (encoding !== undefined && encoding.toLowerCase() !== "identity") {
    throw new ProcedoError(
      "unsupported_media_type",
      "Compressed bodies are not accepted. Send the body without Content-Encoding.",
    );
  }
  const { maxBytes = maxRequestBytes } = spec;
  const read = await request.readBody(maxBytes, coming, signal);
  if (read.kind === "cut") return { kind: "caller_gone" };
  if (read.kind === "too_large") {
    throw new ProcedoError("payload_too_large", `The body has more than ${maxBytes} bytes. Send a smaller body.`);
  }
  if (read.bytes.length > 0 && type === undefined) throw notJson();
  const json = read.bytes.length > largeBody ? await readLargeJson(read.bytes, spec, pause) : jsonOf(spec, read.bytes);
  refuseLongLists(spec.schema, json);
  const body = spec.schema.safeParse(json);
  if (body.success) return { kind: "read", body: body.data, byteLength: read.bytes.length };
  throw invalidRequest("body", requestProblems(body.error));
}

/** Whether a request announces a body (RFC 9112, 6). */
export function announcesBody(request: Pick<HttpRequest, "header">): boolean {
  const length = request.header("content-length");
  return (length !== undefined && length !== "0") || request.header("transfer-encoding") !== undefined;
}

/** Maximum number of items in a list whose items have a schema; no schema allows more than 200. */
export const maxListItems = 1_000;

/**
 * Refuses long lists before the schema check, which describes each invalid item: a list of 1 MiB would take a second.
 */
function refuseLongLists(schema: z.ZodType, json: unknown): void {
  if (!(schema instanceof z.ZodObject) || typeof json !== "object" || json === null) return;
  for (const [name, member] of Object.entries<unknown>(schema.shape)) {
    const list = (json as Readonly<Record<string, unknown>>)[name];
    if (!Array.isArray(list) || list.length <= maxListItems || !isList(member)) continue;
    throw new ProcedoError("payload_too_large", `The list ${name} has more than ${maxListItems} items. Send fewer.`);
  }
}

function isList(schema: unknown): boolean {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return isList(schema.unwrap());
  return schema instanceof z.ZodArray;
}

/** Smaller bodies are read within 2 ms. */
const largeBody = 256 * 1024;

function jsonOf(spec: BodySpec, bytes: Uint8Array): unknown {
  if (bytes.length > 0) return readJson(bytes, spec);
  if (spec.optional === true) return {};
  throw new ProcedoError("malformed_request", "The body is empty. Send a JSON object.");
}

function isJson(type: string): boolean {
  return type === "application/json" || /^application\/json *(; *charset="?utf-8"? *)?$/i.test(type);
}

function notJson(): ProcedoError {
  return new ProcedoError(
    "unsupported_media_type",
    "The body must be JSON. Send it with Content-Type: application/json.",
  );
}
