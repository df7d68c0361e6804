import { maxRequestBytes, ProcedoError } from "@procedo/contract";
import { sourceOf } from "@procedo/contract/syntax";
import { environmentOfAddress, type Clock, type Engine } from "@procedo/engine";
import { createInboundLimiter } from "../access/inbound-limiter.ts";
import { createUsageLimiter } from "../access/usage-limiter.ts";
import type { InboundOperation, Reply } from "../operation.ts";
import type { HttpRequest } from "../request/http-request.ts";
import type { InTime } from "../request/in-time.ts";

/**
 * Performs an operation for another service.
 *
 * @returns `undefined` when the caller disconnected
 */
export type PerformInboundOperation = (
  operation: InboundOperation,
  params: Readonly<Record<string, string>>,
  request: HttpRequest,
  inTime: InTime,
) => Promise<Reply | undefined>;

const mebibyte = 1024 * 1024;

/** Memory of the bodies in progress, which is not taken from the share of callers with a key. */
const bodyBytes = { perKey: 16 * mebibyte, perGroup: 32 * mebibyte };
/** Counted for a body at least, for its socket, parser and headers. */
const leastBytes = 8 * 1024;
const retryAfterMs = 1_000;

export function createInboundOperations({
  engine,
  clock,
}: {
  readonly engine: Engine;
  readonly clock: Pick<Clock, "monotonic">;
}): PerformInboundOperation {
  const limiter = createInboundLimiter(clock);
  const usageOf = createUsageLimiter(bodyBytes);

  return async (operation, params, request, inTime) => {
    const { address = "" } = params;
    const sender = request.address;
    if (environmentOfAddress(address) === undefined) {
      throw new ProcedoError("not_found", "The path ends with no inbound address, such as in_live_….");
    }
    const waitMs = limiter.take(address, sender);
    if (waitMs !== undefined) throw limited("Too many requests to this address.", waitMs);
    const encoding = request.header("content-encoding") ?? "identity";
    if (encoding.toLowerCase() !== "identity") {
      limiter.noteUnread(address, sender);
      throw new ProcedoError("unsupported_media_type", "The body is compressed. Send it without Content-Encoding.");
    }
    const reading = new AbortController();
    let isRead = false as boolean;
    const perform = async (): Promise<Reply | undefined> => {
      const usage = usageOf(sourceOf(sender ?? ""), "inbound");
      const grow = (bytes: number): void => {
        if (usage.set(Math.max(bytes, leastBytes)) !== undefined) {
          throw limited("Too many bodies arrive.", retryAfterMs);
        }
      };
      try {
        grow(0);
        const read = await request.readBody(maxRequestBytes, grow, reading.signal);
        isRead = true;
        if (read.kind !== "whole") limiter.noteUnread(address, sender);
        if (read.kind === "cut") return undefined;
        if (read.kind === "too_large") {
          throw new ProcedoError("payload_too_large", `The body has more than ${maxRequestBytes} bytes.`);
        }
        const answer = await operation.handle({ engine, params, headers: request.headers(), body: read.bytes });
        limiter.note(address, sender, answer);
        const { status, body } = answer;
        return { status, body: body?.text, ...(body !== undefined && { media: body.contentType }) };
      } finally {
        // The body is held until the work ends, even after the sender was answered.
        usage.release();
      }
    };
    try {
      // One limit for the body and the work: some services give up after 5 s (Xero, Wise).
      return await inTime.wait(perform());
    } catch (error) {
      if (isRead || !inTime.isGivenUp) throw error;
      limiter.noteUnread(address, sender);
      const late = new ProcedoError("overloaded", "The body did not arrive in time. Send the request again.");
      reading.abort(late);
      throw late;
    }
  };
}

function limited(problem: string, retryAfterMs: number): ProcedoError {
  return new ProcedoError("rate_limited", `${problem} Retry after the time in Retry-After.`, { retryAfterMs });
}
