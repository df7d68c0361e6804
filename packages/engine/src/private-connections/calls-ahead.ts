import { invocationLeaseMs, ProcedoError } from "@procedo/contract";
import type { InvocationLease, NewInvocation, Storage } from "@procedo/storage";
import type { ConnectionPlace } from "../connections/connection-record.ts";
import { sleep, type Clock } from "../ports/clock.ts";
import { errorText, type Log } from "../ports/log.ts";
import type { Offer } from "./offers.ts";

/**
 * Calls that a client has before they are durable. Only of functions that its own manifest does not call idempotent: it
 * asks before it calls such a one, and is answered once the call is durable.
 *
 * The commit acknowledges them in advance, while the client's question is on its way; where none comes, that is taken back.
 */
export interface CallsAhead {
  /**
   * A call has left for a client that is expected to acknowledge it at once; answers the lease for its commit.
   *
   * @param late - called when it has not
   */
  sent(place: ConnectionPlace, invocation: NewInvocation, leaseToken: string, late: () => void): Offer;
  /** Nobody has the call. */
  unsent(lease: InvocationLease): void;
  /** The client is about to call the function. `undefined`: not one of these. Else resolves once its commit is over. */
  acknowledge(place: ConnectionPlace, lease: InvocationLease): Promise<Acknowledged> | undefined;
  /**
   * Nobody waits for the call any more, and storage is about to be told: with the token of one that no client has acknowledged
   * here, and from now on none does without asking storage.
   */
  recall(invocationId: string): string | undefined;
  /** Takes back what no client has acknowledged, once its commit is over. */
  stop(): Promise<void>;
}

export type Acknowledged =
  /** Storage has the call, acknowledged. */
  | "stored"
  /** Storage knows more: it may have it without, or will never have it. */
  | "ask"
  /** Nobody can say whether storage has it, or will have it in a moment. */
  | "unknown";

export interface CallsAheadPorts {
  readonly storage: Pick<Storage, "invocations">;
  readonly workspace: string;
  readonly clock: Clock;
  readonly log: Log;
}

interface Call extends ConnectionPlace, InvocationLease {
  readonly deadlineMs: number;
  /** Monotonic time. */
  readonly sentAtMs: number;
  /** Resolves when the commit has come back. */
  readonly over: Promise<Acknowledged>;
  readonly cancelLate: () => void;
  /** Who knows best whether a client has it: this process while it is `sent` or `acknowledged`, for a moment; else storage. */
  state: "sent" | "acknowledged" | "recalled" | "taken back";
  /** Storage will never have it. */
  isGone: boolean;
}

/**
 * Marks the token of a call that went ahead, so that a node which does not know of it yet can tell that it may come to.
 * Tokens are base64url besides, which has no such character.
 */
const mark = "~";

export function tokenAhead(leaseToken: string): string {
  return leaseToken + mark;
}

export function wentAhead({ leaseToken }: Pick<InvocationLease, "leaseToken">): boolean {
  return leaseToken.endsWith(mark);
}

/**
 * What another node has sent out ahead comes to be known here within milliseconds, or where a disk is slow within so many.
 */
const pausesMs = [25, 100, 400];

/** Asks again for as long as a call that went ahead elsewhere may not be durable yet. */
export async function askedUntilKnown<Answer>(
  clock: Clock,
  ask: () => Promise<Answer>,
  isUnknown: (answer: Answer) => boolean,
): Promise<Answer> {
  let answer = await ask();
  for (const pauseMs of pausesMs) {
    if (!isUnknown(answer)) break;
    await sleep(clock, pauseMs);
    answer = await ask();
  }
  return answer;
}

export function notKnownYet(): ProcedoError {
  return new ProcedoError("storage_unavailable", "It is not known yet whether the call is durable. Ask again.");
}

/** A client that lives has acknowledged by then. What is known here is not said later than this. */
export const acknowledgedWithinMs = 1_000;

/** So long after a commit that had no answer it may still come to be: storage gives up on anything sooner. */
const unknownForMs = 10_000;

/** What could not be taken back, or was not there yet, is tried again so much later. */
const triedAgainAfterMs = [1_000, 4_000, 16_000];

/** What storage has not answered by then when the engine stops is left to the end of its lease. */
const lastAnswersMs = 2_000;

export function createCallsAhead({ storage, workspace, clock, log }: CallsAheadPorts): CallsAhead {
  const calls = new Map<string, Call>();
  const takingBack = new Set<Promise<void>>();
  const stopping = new AbortController();

  const find = ({ invocationId, leaseToken }: InvocationLease): Call | undefined => {
    const call = calls.get(invocationId);
    return call?.leaseToken === leaseToken ? call : undefined;
  };
  const forget = (call: Call): void => {
    if (calls.get(call.invocationId) === call) calls.delete(call.invocationId);
  };

  /** Whether storage has the call as it is to be. */
  const isTakenBack = async (call: Call): Promise<boolean> => {
    const { environment, connectionId, invocationId, leaseToken } = call;
    const scope = { workspace, environment };
    const known = await call.over;
    if (call.isGone) return true;
    try {
      const isDone = await storage.invocations.unacknowledge({ scope, connectionId, invocationId, leaseToken });
      return isDone || known !== "unknown";
    } catch (error) {
      const fields = { invocationId, connectionId, environment, error: errorText(error) };
      log.warn("A call that no client has acknowledged could not be taken back.", fields);
      return false;
    }
  };

  const tryAgain = async (call: Call): Promise<void> => {
    for (const afterMs of triedAgainAfterMs) {
      await sleep(clock, afterMs, stopping.signal);
      if ((await isTakenBack(call)) || stopping.signal.aborted) return;
    }
  };

  /** Once its commit is over; resolves when that was tried once. */
  const takeBack = (call: Call): Promise<void> => {
    call.cancelLate();
    call.state = "taken back";
    const tried = isTakenBack(call);
    const taken = tried
      .then((isDone) => (isDone ? undefined : tryAgain(call)))
      .finally(() => {
        forget(call);
        takingBack.delete(taken);
      });
    takingBack.add(taken);
    return tried.then(() => undefined);
  };

  const isLate = ({ sentAtMs, deadlineMs }: Call): boolean =>
    clock.monotonic() >= sentAtMs + acknowledgedWithinMs || clock.now() >= deadlineMs;

  /** What the commit has come to; a while later storage says more. */
  const asOfNow = (call: Call): Promise<Acknowledged> =>
    call.over.then((known) => (known === "stored" && isLate(call) ? "ask" : known));

  return {
    sent: ({ environment, connectionId }, { invocationId, deadlineMs }, leaseToken, late) => {
      const over = Promise.withResolvers<Acknowledged>();
      let isInDoubt = false;
      const call: Call = {
        ...{ environment, connectionId, invocationId, leaseToken, deadlineMs },
        sentAtMs: clock.monotonic(),
        over: over.promise,
        cancelLate: clock.after(acknowledgedWithinMs, () => {
          if (call.state === "sent") late();
          void takeBack(call);
        }),
        state: "sent",
        isGone: false,
      };
      calls.set(invocationId, call);
      return {
        // It is to last as long as one that begins when the client asks.
        handedTo: { leaseToken, leaseMs: invocationLeaseMs + acknowledgedWithinMs, acknowledged: true },
        // One that was in doubt may have been stored long ago: asking makes its lease end later.
        taken: () => over.resolve(isInDoubt ? "ask" : "stored"),
        doubted: () => {
          isInDoubt = true;
        },
        dropped: () => {
          // One that was in doubt may have been stored before somebody else had the run.
          if (!isInDoubt) {
            call.isGone = true;
            call.cancelLate();
            forget(call);
          }
          over.resolve("ask");
        },
        unknown: () => over.resolve("unknown"),
      };
    },

    unsent: (lease) => {
      const call = find(lease);
      if (call !== undefined) void takeBack(call);
    },

    acknowledge: ({ environment, connectionId }, lease) => {
      const call = find(lease);
      if (call?.connectionId !== connectionId || call.environment !== environment) return undefined;
      if (call.state === "acknowledged") return asOfNow(call);
      if (call.state === "sent" && isLate(call)) return takeBack(call).then(() => "ask");
      if (call.state !== "sent") return call.over.then(() => "ask");
      call.state = "acknowledged";
      call.cancelLate();
      void call.over.then((known) => {
        if (known === "unknown") clock.after(unknownForMs, () => forget(call));
        else forget(call);
      });
      return asOfNow(call);
    },

    recall: (invocationId) => {
      const call = calls.get(invocationId);
      if (call === undefined || call.state === "acknowledged") return undefined;
      if (call.state === "sent") call.state = "recalled";
      return call.leaseToken;
    },

    stop: async () => {
      stopping.abort();
      for (const call of calls.values()) {
        if (call.state === "sent" || call.state === "recalled") void takeBack(call);
      }
      const answered = new AbortController();
      await Promise.race([Promise.all(takingBack), sleep(clock, lastAnswersMs, answered.signal)]);
      answered.abort();
    },
  };
}
