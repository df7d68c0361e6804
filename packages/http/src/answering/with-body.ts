import type { Environment } from "@procedo/contract";
import type { Slices } from "@procedo/engine";
import { createBodyLimiter, type BodyUsage } from "../access/body-limiter.ts";
import type { BodySpec, Reply } from "../operation.ts";
import type { AnswerOwner, HttpRequest } from "../request/http-request.ts";
import type { InTime } from "../request/in-time.ts";
import { announcesBody, readBody } from "../request/read-body.ts";

/**
 * Reads the operation's body, if it has one, and passes it to the handler. Neither this function nor its callees keep
 * a reference to the body afterwards, because a request may wait for minutes without needing its body.
 *
 * @param handle calls `bodyDone` when it no longer needs the body
 * @returns `undefined` when the caller disconnected
 */
export type WithBody = (
  spec: BodySpec | undefined,
  reading: BodyReading,
  request: HttpRequest,
  inTime: InTime,
  handle: (body: unknown, bodyDone: () => void) => Promise<Reply>,
) => Promise<Reply | undefined>;

/** The owner of a body, and the condition under which it is read. */
export interface BodyReading {
  readonly owner: AnswerOwner;
  /** Reads the body until the key or session ends. @defaultValue reads the body to its end */
  readonly whileAllowed?: <Read>(read: (signal?: AbortSignal) => Promise<Read>) => Promise<Read>;
}

/** All bodies that are read through the result share one {@link createBodyLimiter}. */
export function createWithBody(slicesOf: (environment: Environment | undefined) => Slices): WithBody {
  const bodyLimiter = createBodyLimiter();
  return async (spec, { owner, whileAllowed = (read) => read() }, request, inTime, handle) => {
    if (spec === undefined) return await inTime.wait(handle(undefined, () => {}));
    const isAnnounced = announcesBody(request);
    const place = bodyLimiter.take(owner.key, owner.environment, isAnnounced);
    const leave = (): void => place.leave();
    let begun: Begun | undefined;
    try {
      const read = (signal?: AbortSignal) =>
        readAndBegin(spec, request, { place, signal, slices: slicesOf(owner.environment) }, (body) =>
          handle(body, leave),
        );
      begun = await (isAnnounced ? whileAllowed(read) : read());
    } finally {
      if (begun === undefined) leave();
    }
    // The handler holds the body until it ends, even after the caller was answered.
    return begun && (await inTime.wait(begun.handling.finally(leave)));
  };
}

/** Handling that started with a request's body. */
interface Begun {
  readonly handling: Promise<Reply>;
}

interface Reading {
  readonly place: BodyUsage;
  readonly signal: AbortSignal | undefined;
  readonly slices: Slices;
}

/** `undefined` when the caller disconnected. No object that outlives this call refers to the body. */
async function readAndBegin(
  spec: BodySpec,
  request: HttpRequest,
  { place, signal, slices }: Reading,
  begin: (body: unknown) => Promise<Reply>,
): Promise<Begun | undefined> {
  const read = await readBody(spec, request, {
    coming: (bytes) => place.coming(bytes),
    pause: () => slices.next(),
    signal,
  });
  if (read.kind === "caller_gone") return undefined;
  place.came(read.byteLength);
  return { handling: begin(read.body) };
}
