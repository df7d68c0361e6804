import {
  type Change,
  changeKindSchema,
  changeSchema,
  checkOptionNames,
  type OptionNames,
  ProcedoError,
} from "@procedo/contract";
import { createParser } from "eventsource-parser";
import type { CheckedOptions } from "./client-options.ts";
import { readAnswer } from "./read-answer.ts";
import type { Runtime } from "./runtime.ts";
import { errorOf, maxRetryAfterMs } from "./service.ts";

/** Options of {@link Client.changes}. */
export interface ChangesOptions {
  /** Ends the iteration, which throws the signal's reason. @defaultValue none: `break` ends it */
  readonly signal?: AbortSignal;
}

const optionNames = { signal: true } satisfies OptionNames<ChangesOptions>;

/** The service sends a heartbeat every 15 s. A connection without one for this long is dead. */
export const silentMs = 40_000;
/** A stream that lasted for less counts as a failed attempt, so that one that ends at once is not opened in a busy loop. */
const steadyMs = 10_000;
/** An event has about 100 characters. */
const longestEvent = 64 * 1024;

/** Follows the changes of the key's environment, over any number of connections. */
export function createFollowChanges(
  options: CheckedOptions,
  runtime: Runtime,
): (given?: ChangesOptions) => AsyncIterable<Change> {
  return (given = {}) => {
    checkOptionNames("changes", optionNames, given);
    return { [Symbol.asyncIterator]: () => follow(options, runtime, given.signal) };
  };
}

async function* follow(
  options: CheckedOptions,
  runtime: Runtime,
  signal: AbortSignal | undefined,
): AsyncGenerator<Change, never> {
  /** The last id of the service; `undefined` before the first one. */
  let place: string | undefined;
  let failures = 0;
  for (;;) {
    signal?.throwIfAborted();
    const openedMs = runtime.now();
    let retryAfterMs = 0;
    const stream = createStream(options, runtime, signal);
    try {
      for await (const part of stream.read(place)) {
        // The caller reads everything once there is a place after which nothing is missed.
        const isFirst = place === undefined;
        place = part.place ?? place;
        if (isFirst && place !== undefined) yield { kind: "resync" };
        yield* part.changes;
      }
    } catch (error) {
      signal?.throwIfAborted();
      const failure = failureOf(error);
      const isGivenUp = place === undefined && failures >= options.retries;
      if (!failure.retryable || isGivenUp) throw failure;
      retryAfterMs = Math.min(failure.retryAfterMs ?? 0, maxRetryAfterMs);
    } finally {
      stream.close();
    }
    failures = runtime.now() - openedMs < steadyMs ? failures + 1 : 1;
    await runtime.sleep(Math.max(runtime.retryDelayMs(failures), retryAfterMs), signal);
  }
}

/** The content of a piece of the stream. */
interface Part {
  /** The id after which to go on; `undefined` where the piece has none. */
  readonly place: string | undefined;
  readonly changes: readonly Change[];
}

interface Stream {
  /** @throws ProcedoError */
  read(after: string | undefined): AsyncGenerator<Part>;
  /** Closes the connection. Idempotent. */
  close(): void;
}

/** One connection. */
function createStream(options: CheckedOptions, runtime: Runtime, signal: AbortSignal | undefined): Stream {
  const closing = new AbortController();
  const ended = signal === undefined ? closing.signal : AbortSignal.any([signal, closing.signal]);

  /** @throws ProcedoError `upstream_unreachable` when the work takes longer */
  const within = async <T>(work: Promise<T>, ms: number, message: string): Promise<T> => {
    const over = new AbortController();
    const late = runtime.sleep(ms, over.signal).then(() => {
      throw new ProcedoError("upstream_unreachable", message);
    });
    try {
      return await Promise.race([work, late]);
    } finally {
      over.abort();
    }
  };

  const open = async (after: string | undefined): Promise<Response> => {
    const response = await options.fetch(`${options.apiUrl}/events`, {
      headers: {
        authorization: `Bearer ${options.apiKey}`,
        accept: "text/event-stream",
        ...(after !== undefined && { "last-event-id": after }),
      },
      cache: "no-store",
      redirect: "manual",
      signal: ended,
    });
    if (response.status !== 200) throw errorOf({ response, data: await jsonOf(response) }, runtime);
    if (response.headers.get("content-type")?.startsWith("text/event-stream") === true) return response;
    const message = "The service answered without a stream of changes. Is the address right?";
    throw new ProcedoError("internal", message);
  };

  return {
    read: async function* (after) {
      const unanswered = `GET ${options.apiUrl}/events had no answer within ${options.timeoutMs} ms.`;
      const { body } = await within(open(after), options.timeoutMs, unanswered);
      const reader: ReadableStreamDefaultReader<Uint8Array> | undefined = body?.getReader();
      if (reader === undefined) return;
      // Ends a pending read, also where the given `fetch` ignores the signal.
      const cancel = (): void => void reader.cancel().catch(() => {});
      if (ended.aborted) cancel();
      else ended.addEventListener("abort", cancel, { once: true });
      const decoder = new TextDecoder();
      const parse = createPartParser();
      const silent = `The stream of changes was silent for ${silentMs} ms.`;
      for (;;) {
        const { done, value } = await within(reader.read(), silentMs, silent);
        if (done) return;
        yield parse(decoder.decode(value, { stream: true }));
      }
    },
    close: () => closing.abort(),
  };
}

function createPartParser(): (text: string) => Part {
  let place: string | undefined;
  let changes: Change[] = [];
  const parser = createParser({
    maxBufferSize: longestEvent,
    onId: (id) => (place = id),
    onEvent: ({ event, data }) => {
      if (event === "changed") changes.push(...changeOf(data));
    },
    onError: ({ type }) => {
      if (type === "max-buffer-size-exceeded")
        throw new ProcedoError("internal", "An event of the stream is too long.");
    },
  });
  return (text) => {
    place = undefined;
    changes = [];
    parser.feed(text);
    return { place, changes };
  };
}

/** The change; none of a kind that this version does not know. */
function changeOf(data: string): readonly Change[] {
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch {
    throw new ProcedoError("internal", "An event of the stream is not JSON. Is the address right?");
  }
  const kind = typeof value === "object" && value !== null && "kind" in value ? value.kind : undefined;
  if (typeof kind === "string" && !changeKindSchema.safeParse(kind).success) return [];
  return [readAnswer(changeSchema, value)];
}

async function jsonOf(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    return undefined;
  }
}

/** The error for the caller. */
function failureOf(error: unknown): ProcedoError {
  if (ProcedoError.isError(error)) return error;
  const message = "The stream of changes could not be read. Is the service reachable?";
  return new ProcedoError("upstream_unreachable", message, { cause: error });
}
