import type { JsonValue } from "@procedo/contract";
import { isFramingHeader } from "@procedo/contract/syntax";
import { parseKeepingExact } from "@procedo/procedure";
import { EgressError } from "./egress-error.ts";
import type { Egress, EgressRequest } from "./egress.ts";

/** The part of the web's `fetch` that the guarded client supports. */
export type GuardedFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** Defaults for each request of this `fetch`; `redirects` is the number that `redirect: "follow"` follows. */
export type GuardedFetchDefaults = Pick<
  EgressRequest,
  "timeoutMs" | "signal" | "maxResponseBytes" | "redirects" | "connection" | "beforeSend"
>;

/** Statuses whose `Response` may have no body (Fetch Standard, null body status). */
const withoutBody = new Set([204, 205, 304]);

/** Maximum nesting of an answer's JSON, so that recursive code, such as a schema, does not overflow its stack. */
const maxDepth = 512;

/**
 * The guarded client as a web `fetch`. The differences: at most `defaults.redirects` redirects are followed; the answer
 * is read whole and bounded; there are no cookies, cache or streams; and failures are {@link EgressError}s, which tell
 * whether the request may have been sent. `response.json()` loses no digit: a number that a double cannot hold is
 * returned as a string.
 */
export function guardedFetch(egress: Pick<Egress, "fetch">, defaults: GuardedFetchDefaults = {}): GuardedFetch {
  return async (input, init) => {
    // `Request` reads the body and headers by the rules of the standard. The guard gets the original URL, because
    // `Request` would repair it.
    const request = input instanceof Request ? new Request(input, init) : new Request("https://unused.invalid", init);
    const body = new Uint8Array(await request.arrayBuffer());
    const signals = [request.signal, defaults.signal].filter((signal) => signal !== undefined);
    const answer = await egress.fetch({
      ...defaults,
      url: input instanceof Request ? input.url : input,
      method: request.method,
      // Headers that only the client may set are left out, as the Fetch Standard does.
      headers: Object.fromEntries([...request.headers].filter(([name]) => !isFramingHeader(name))),
      ...(body.byteLength > 0 ? { body } : {}),
      redirects: request.redirect === "follow" ? (defaults.redirects ?? 0) : 0,
      signal: AbortSignal.any(signals),
    });
    if (request.redirect === "error" && answer.status >= 300 && answer.status < 400 && answer.status !== 304) {
      const options = { sent: "maybe", responseStatus: answer.status } as const;
      throw new EgressError("response", "The answer is a redirect, which this request does not accept.", options);
    }
    const response = new Response(withoutBody.has(answer.status) ? null : answer.body, {
      status: answer.status,
      headers: answer.headers,
    });
    return keepingExact(response, answer.url);
  };
}

/** Gives a response and its clones their URL, which `new Response` cannot set, and a `json` that keeps every digit. */
function keepingExact(response: Response, url: string): Response {
  return Object.defineProperties(response, {
    url: { value: url },
    json: { value: async () => readJson(await response.text(), response.status) },
    clone: { value: () => keepingExact(Response.prototype.clone.call(response), url) },
  });
}

/** @throws SyntaxError as in the Fetch Standard, but without a quotation of the text, since the message is journaled */
function readJson(text: string, responseStatus: number): JsonValue {
  const parsed = parseKeepingExact(text);
  if (!parsed.ok) throw new SyntaxError(`The answer ${parsed.message}`);
  if (isDeeperThan(maxDepth, parsed.value)) {
    const message = `The answer's JSON nests deeper than ${maxDepth} levels.`;
    throw new EgressError("response", message, { sent: "maybe", responseStatus });
  }
  return parsed.value;
}

function isDeeperThan(levels: number, value: JsonValue): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((member: JsonValue) => isDeeperThan(levels - 1, member));
}
