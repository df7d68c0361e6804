import { errorFromBody, ProcedoError } from "@procedo/contract";
import { retryAfterMs } from "@procedo/contract/syntax";
import ky, { type HTTPError, isHTTPError, isNetworkError, isTimeoutError } from "ky";
import type * as z from "zod";
import type { CheckedOptions } from "./client-options.ts";
import { readAnswer } from "./read-answer.ts";
import { encodeJson } from "./request-json.ts";
import type { Runtime } from "./runtime.ts";

/** One request, safe to repeat as it is. */
export interface ServiceRequest {
  readonly method: "GET" | "POST" | "DELETE";
  readonly url: string;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly json?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** How long an attempt may take in addition to the client's own limit, in milliseconds. */
  readonly holdMs?: number;
  readonly signal?: AbortSignal | undefined;
}

/** Sends requests, retries those that may still succeed, and reads answers. */
export type Service = <Schema extends z.ZodType>(request: ServiceRequest, schema: Schema) => Promise<z.output<Schema>>;

/** Longest Retry-After that is waited for; with a longer one the caller is told at once. */
export const maxRetryAfterMs = 30_000;

/** @throws (the service) ProcedoError with the service's code; `upstream_unreachable` when no answer came at all */
export function createService(options: CheckedOptions, runtime: Runtime): Service {
  const api = ky.create({
    fetch: wholeAnswers(options.fetch),
    headers: { authorization: `Bearer ${options.apiKey}`, accept: "application/json" },
    // A redirected POST would arrive as a GET.
    redirect: "manual",
    retry: {
      limit: options.retries,
      methods: ["get", "post", "delete"],
      statusCodes: [408, 429, 502, 503, 504],
      afterStatusCodes: [429, 503],
      retryOnTimeout: true,
      delay: runtime.retryDelayMs,
      shouldRetry: ({ error }) => (isHTTPError(error) && isFinal(error, runtime) ? false : undefined),
    },
  });
  return async ({ method, url, query, json, headers, holdMs = 0, signal }, schema) => {
    signal?.throwIfAborted();
    const body = json === undefined ? undefined : encodeJson(json);
    const timeout = options.timeoutMs + holdMs;
    try {
      const response = await api(url, {
        method,
        timeout,
        ...(query !== undefined && { searchParams: query }),
        ...(body !== undefined && { body }),
        headers: { ...headers, ...(body !== undefined && { "content-type": "application/json" }) },
        ...(signal !== undefined && { signal }),
      });
      return readAnswer(schema, await parse(response));
    } catch (error) {
      signal?.throwIfAborted();
      if (isHTTPError(error) && isRunTimeout(error)) return readAnswer(schema, error.data);
      throw failureOf(error, { place: `${method} ${url}`, timeout, runtime });
    }
  };
}

/** Answers with their bodies already there: a connection that breaks inside a body is repeated like any other. */
function wholeAnswers(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    const isWithoutBody = response.status < 200 || [204, 205, 304].includes(response.status);
    if (isWithoutBody) return response;
    const { status, headers } = response;
    return new Response(await response.arrayBuffer(), { status, headers });
  };
}

async function parse(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    // No cause: the parser's message quotes the answer.
    throw new ProcedoError("internal", `The service answered ${response.status} without JSON. Is the address right?`);
  }
}

/** Whether the answer would be the same again, or is only worth asking for much later. */
function isFinal(error: HTTPError, runtime: Runtime): boolean {
  if (isRunTimeout(error)) return true;
  const { retryable, retryAfterMs } = errorOf(error, runtime);
  return !retryable || (retryAfterMs ?? 0) > maxRetryAfterMs;
}

/** The contract's reply to a sync run that took too long. It is an answer; any other 504 is a gateway's. */
function isRunTimeout({ response, data }: HTTPError): boolean {
  return (
    response.status === 504 &&
    typeof data === "object" &&
    data !== null &&
    "status" in data &&
    data.status === "timeout"
  );
}

/** The error that an answer tells of. @param answer.data - its parsed JSON; `undefined` without JSON */
export function errorOf(
  { response, data }: { readonly response: Pick<Response, "status" | "headers">; readonly data: unknown },
  runtime: Pick<Runtime, "now">,
): ProcedoError {
  if (response.status < 200 || (response.status >= 300 && response.status < 400)) {
    const message = "The service's address redirects elsewhere. Set runnerUrl and appUrl to where it leads.";
    return new ProcedoError("invalid_configuration", message);
  }
  const waitMs = retryAfterMs(response.headers.get("retry-after"), runtime.now());
  return errorFromBody(response.status, data, waitMs === undefined ? {} : { retryAfterMs: waitMs });
}

/** The error for the caller. ky's own errors hold the request with the key in its headers, so none becomes a cause. */
function failureOf(
  error: unknown,
  { place, timeout, runtime }: { readonly place: string; readonly timeout: number; readonly runtime: Runtime },
): ProcedoError {
  if (ProcedoError.isError(error)) return error;
  if (isHTTPError(error)) return errorOf(error, runtime);
  if (isTimeoutError(error))
    return new ProcedoError("upstream_unreachable", `${place} had no answer within ${timeout} ms.`);
  const cause = isNetworkError(error) ? error.cause : error;
  return new ProcedoError("upstream_unreachable", `${place} could not be sent. Is the service reachable?`, { cause });
}
