import { setTimeout as pause } from "node:timers/promises";
import type { SeededRandom } from "@procedo-testing/faults";
import type { CrashNode } from "../crash/node.ts";
import type { NodeRequests, RequestName } from "../crash/protocol.ts";
import type { MemberRequestName, MemberRequests } from "./member-protocol.ts";
import type { Member, MemberReply } from "./member.ts";

/** The failures that an application met with several nodes. */
export interface Hardships {
  /** Requests without an answer, or without one in time. */
  unanswered: number;
  /** Requests that were refused temporarily. */
  refused: number;
}

export interface ClusterOptions {
  readonly random: SeededRandom;
  /** The members that can be asked; read again for each request. */
  members(): readonly Pick<Member, "ask">[];
  readonly hardships: Hardships;
  /** Total time of one request, repetitions included. @defaultValue 90000 */
  readonly patienceMs?: number;
  /** Time limit of one node, because a paused or disconnected node never answers. @defaultValue 10000 */
  readonly answerWithinMs?: number;
  /** @defaultValue the machine's time */
  readonly wait?: (ms: number) => Promise<void>;
}

const retryAfterMs = 100;
/** Polls are repeated at another node at once; any other request may already have been done. */
const lookWithinMs = 2_000;
/** The interval of polls; the driver would otherwise poll in a busy loop. */
const lookGapMs = 80;

/** A request that is refused with one of these codes may succeed when repeated. */
const forNow = new Set(["storage_unavailable", "overloaded", "shutting_down", "rate_limited"]);

/** Several nodes behind the interface of the crash driver's single node. */
export function clusterNode(options: ClusterOptions): CrashNode {
  const { wait = pause } = options;
  return {
    loaded: Promise.resolve(),
    ready: Promise.resolve("ready"),
    progressMs: Promise.resolve(undefined),
    exited: Promise.withResolvers<void>().promise,
    alive: true,
    end: undefined,
    kill: () => Promise.resolve(),
    ask: async <Name extends RequestName>(name: Name, request: NodeRequests[Name]["request"]) => {
      if (name === "arm" || name === "drain") throw new Error(`A member is asked to ${name}, not all of them.`);
      if (name === "look") await wait(lookGapMs);
      const how = name === "look" ? { ...options, answerWithinMs: lookWithinMs } : options;
      // All other requests have the same form for members.
      const theirs = request as MemberRequests[MemberRequestName]["request"];
      return await askAny(how, name as MemberRequestName, theirs);
    },
  };
}

/**
 * Sends a request to any node, and again to any node until one answers, as a retrying application does. Requests that
 * must not take effect twice carry an idempotency key. After the time limit the reply is the refusal `given_up`: the
 * effect is unknown.
 */
export async function askAny<Name extends MemberRequestName>(
  options: ClusterOptions,
  name: Name,
  request: MemberRequests[Name]["request"],
): Promise<MemberReply<Name>> {
  const { random, members, hardships, patienceMs = 90_000, answerWithinMs = 10_000, wait = pause } = options;
  const giveUpAt = performance.now() + patienceMs;
  for (;;) {
    const there = members();
    const reply = there.length === 0 ? undefined : await inTime(random.pick(there).ask(name, request), answerWithinMs);
    if (reply?.status === "answered" || (reply?.status === "refused" && !forNow.has(reply.code))) return reply;
    if (reply?.status === "refused") hardships.refused += 1;
    else hardships.unanswered += 1;
    if (performance.now() > giveUpAt) {
      const last = reply?.status === "refused" ? `${reply.code} ${reply.message}` : "no answer";
      const message = `${name} was tried for ${patienceMs} ms; the last failure was: ${last}`;
      return { status: "refused", code: "given_up", message };
    }
    await wait(retryAfterMs);
  }
}

async function inTime<T>(answer: Promise<T>, withinMs: number): Promise<T | undefined> {
  const answered = new AbortController();
  const tooLate = pause(withinMs, undefined, { signal: answered.signal }).catch(() => undefined);
  const first = await Promise.race([answer, tooLate]);
  answered.abort();
  return first;
}
