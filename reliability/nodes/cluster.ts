import { setTimeout as pause } from "node:timers/promises";
import type { SeededRandom } from "@procedo-testing/faults";
import type { CrashNode } from "../crash/node.ts";
import type { NodeRequests, RequestName } from "../crash/protocol.ts";
import type { MemberRequestName, MemberRequests } from "./member-protocol.ts";
import type { Member, MemberReply } from "./member.ts";

/** What an application went through while it spoke to several nodes. */
export interface Hardships {
  /** Requests of which no answer came, or none in time. */
  unanswered: number;
  /** Requests that were refused for now. */
  refused: number;
}

export interface ClusterOptions {
  readonly random: SeededRandom;
  /** Those that can be asked; read anew for each request. */
  members(): readonly Pick<Member, "ask">[];
  readonly hardships: Hardships;
  /** How long one request is tried in all. @defaultValue 90000 */
  readonly patienceMs?: number;
  /** How long one node may take: one that is stopped or cut off answers nothing. @defaultValue 10000 */
  readonly answerWithinMs?: number;
  /** @defaultValue the machine's time */
  readonly wait?: (ms: number) => Promise<void>;
}

const retryAfterMs = 100;
/** A look is taken again at once by another node; whatever else is asked may have been done. */
const lookWithinMs = 2_000;
/** The driver looks as often as it can, as if nobody else used the machine. */
const lookGapMs = 80;

/** What is refused with these may succeed when it is asked again. */
const forNow = new Set(["storage_unavailable", "overloaded", "shutting_down", "rate_limited"]);

/** Several nodes as the crash driver's one. */
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
      // Everything else is asked of members in the same words, and answered in the same.
      const theirs = request as MemberRequests[MemberRequestName]["request"];
      return await askAny(how, name as MemberRequestName, theirs);
    },
  };
}

/**
 * Asks any node, and again any of them until one has answered, as an application does it that retries. What must not
 * happen twice carries its idempotency key. Given up, it is refused with `given_up`: nothing is known then.
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
      const message = `${name} was tried for ${patienceMs} ms; the last that came was: ${last}`;
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
