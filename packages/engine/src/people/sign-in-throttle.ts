import { hash } from "node:crypto";
import { ProcedoError } from "@procedo/contract";
import { clockToleranceMs, type SessionStore, type SignInFailures } from "@procedo/storage";
import type { Clock } from "../ports/clock.ts";

/**
 * Delays guesses of passwords, by e-mail address, over all nodes and restarts. There is no lockout: the longest
 * delay is a minute.
 */
export interface SignInThrottle {
  /** Refuses an attempt that comes too early. It is not counted. @throws ProcedoError `rate_limited` */
  check(email: string): Promise<void>;
  /**
   * Counts an attempt as failed, before the password is looked at: attempts at the same moment are not let through
   * together.
   *
   * @throws ProcedoError `rate_limited`
   */
  begin(email: string): Promise<void>;
  /** Forgets the failures after a success. */
  succeeded(email: string): Promise<void>;
}

const freeFailures = 5;
const firstDelayMs = 1_000;
const maxDelayMs = 60_000;

export function createSignInThrottle(
  sessions: Pick<SessionStore, "failures" | "noteFailure" | "clearFailures">,
  clock: Pick<Clock, "now">,
  workspace: string,
): SignInThrottle {
  /** The same for addresses of people and of others. */
  const keyOf = (email: string): string => hash("sha256", JSON.stringify([workspace, email]), "base64url");

  const allowed = async (key: string): Promise<SignInFailures | undefined> => {
    const failures = await sessions.failures({ key });
    if (failures === undefined) return undefined;
    const sinceMs = clock.now() - failures.lastAtMs;
    if (sinceMs < -clockToleranceMs) {
      // The clock was set back: the delay would last as long as the step.
      await sessions.clearFailures({ key });
      return undefined;
    }
    const delayMs = delayAfter(failures.count);
    if (sinceMs < delayMs) throw tooEarly(Math.min(delayMs, delayMs - sinceMs));
    return failures;
  };

  return {
    check: async (email) => void (await allowed(keyOf(email))),
    begin: async (email) => {
      const key = keyOf(email);
      const before = await allowed(key);
      const { count } = await sessions.noteFailure({ key, atMs: clock.now() });
      const isNext = count === (before?.count ?? 0) + 1;
      // Of attempts at the same moment, only one has waited for the delay.
      if (count > freeFailures && !isNext) throw tooEarly(delayAfter(count));
    },
    succeeded: (email) => sessions.clearFailures({ key: keyOf(email) }),
  };
}

/** The delay before the next attempt, after a number of failures. */
function delayAfter(count: number): number {
  return count < freeFailures ? 0 : Math.min(maxDelayMs, firstDelayMs * 2 ** (count - freeFailures));
}

function tooEarly(retryAfterMs: number): ProcedoError {
  const message = "Too many failed sign-ins with this e-mail address. Try again after the time in Retry-After.";
  return new ProcedoError("rate_limited", message, { retryAfterMs });
}
