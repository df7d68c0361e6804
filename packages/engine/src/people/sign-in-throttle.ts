import { hash } from "node:crypto";
import { ProcedoError } from "@procedo/contract";
import { sourceOf } from "@procedo/contract/syntax";
import { clockToleranceMs, type SessionStore, type SignInFailures } from "@procedo/storage";
import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";
import { createSparseWarnings } from "../ports/sparse-warnings.ts";

/** An attempt to use the password of an e-mail address. */
export type PasswordAttempt =
  | {
      readonly by: "guest";
      readonly email: string;
      /** Network address of the caller; `undefined` when unknown. All unknown addresses are one source. */
      readonly address?: string | undefined;
    }
  /** Of a person with a session, whom guests do not delay. */
  | { readonly by: "session"; readonly email: string };

/**
 * Delays guesses of passwords, by e-mail address, over all nodes and restarts. There is no lockout: the longest delay is
 * a minute.
 *
 * Failures are counted for each source of an e-mail address, and for all of its sources together. The latter count is
 * kept twice: for the sources with few failures of their own, and for the others. A guesser at one source therefore
 * delays a person at another source by no more than a second, and guesses from many sources are delayed as from one or
 * two.
 */
export interface SignInThrottle {
  /** Refuses an attempt that comes too early. It is not counted. @throws ProcedoError `rate_limited` */
  check(attempt: PasswordAttempt): Promise<void>;
  /**
   * Counts an attempt as failed, before the password is looked at: attempts at the same moment are not let through
   * together.
   *
   * @throws ProcedoError `rate_limited`
   */
  begin(attempt: PasswordAttempt): Promise<void>;
  /** Forgets the failures of the attempt's source, and those of the sources together, after a success. */
  succeeded(attempt: PasswordAttempt): Promise<void>;
}

export interface SignInThrottlePorts {
  readonly sessions: Pick<SessionStore, "failures" | "noteFailure" | "clearFailures">;
  readonly clock: Pick<Clock, "now" | "monotonic">;
  readonly workspace: string;
  readonly log: Pick<Log, "warn">;
}

const freeFailures = 5;
const firstDelayMs = 1_000;
const maxDelayMs = 60_000;

/** A count of failures in storage. */
interface Count {
  readonly key: string;
  /** The failure that is followed by the first delay. */
  readonly free: number;
}

/** The counts to which an attempt belongs. */
interface Counts {
  readonly own: Count;
  /** `undefined` for a session, which is counted by itself. */
  readonly together?: {
    /** Of sources with few failures. */
    readonly calm: Count;
    /** Of sources with {@link freeFailures} or more. */
    readonly busy: Count;
  };
}

export function createSignInThrottle({ sessions, clock, workspace, log }: SignInThrottlePorts): SignInThrottle {
  const warnings = createSparseWarnings(log, clock);

  /** The same for addresses of people and of others. */
  const keyOf = (email: string, ...rest: readonly string[]): string =>
    hash("sha256", JSON.stringify([workspace, email, ...rest]), "base64url");

  const countsOf = (attempt: PasswordAttempt): Counts => {
    const { email } = attempt;
    if (attempt.by === "session") return { own: { key: keyOf(email, "session"), free: freeFailures } };
    const source = attempt.address === undefined ? "" : sourceOf(attempt.address);
    return {
      own: { key: keyOf(email, "source", source), free: freeFailures },
      together: {
        calm: { key: keyOf(email, "calm"), free: freeFailures },
        busy: { key: keyOf(email, "busy"), free: 1 },
      },
    };
  };

  const tooEarly = (email: string, retryAfterMs: number): ProcedoError => {
    // The text may be a password, typed into the wrong field.
    const emailDigest = keyOf(email).slice(0, 12);
    warnings.warn(emailDigest, "Sign-ins with an e-mail address are delayed after failures.", { emailDigest });
    const message = "Too many failed sign-ins with this e-mail address. Try again after the time in Retry-After.";
    return new ProcedoError("rate_limited", message, { retryAfterMs });
  };

  const allowed = async (email: string, { key, free }: Count): Promise<SignInFailures | undefined> => {
    const failures = await sessions.failures({ key });
    if (failures === undefined) return undefined;
    const sinceMs = clock.now() - failures.lastAtMs;
    if (sinceMs < -clockToleranceMs) {
      // The clock was set back: the delay would last as long as the step.
      await sessions.clearFailures({ key });
      return undefined;
    }
    const delayMs = delayAfter(failures.count, free);
    if (sinceMs < delayMs) throw tooEarly(email, Math.min(delayMs, delayMs - sinceMs));
    return failures;
  };

  const note = async (email: string, { key, free }: Count, before: SignInFailures | undefined): Promise<void> => {
    const { count } = await sessions.noteFailure({ key, atMs: clock.now() });
    const isNext = count === (before?.count ?? 0) + 1;
    // Of attempts at the same moment, only one has waited for the delay.
    if (count > free && !isNext) throw tooEarly(email, delayAfter(count, free));
  };

  /** The count of the sources to which this one belongs, after its own failures. */
  const sharedOf = ({ together }: Counts, own: SignInFailures | undefined): Count | undefined =>
    (own?.count ?? 0) < freeFailures ? together?.calm : together?.busy;

  return {
    check: async (attempt) => {
      const { email } = attempt;
      const counts = countsOf(attempt);
      const shared = sharedOf(counts, await allowed(email, counts.own));
      if (shared !== undefined) await allowed(email, shared);
    },
    begin: async (attempt) => {
      const { email } = attempt;
      const counts = countsOf(attempt);
      const own = await allowed(email, counts.own);
      const shared = sharedOf(counts, own);
      const before = shared === undefined ? undefined : await allowed(email, shared);
      // First its own: of a storm from one source, no more than the free failures reach the count of all sources.
      await note(email, counts.own, own);
      if (shared !== undefined) await note(email, shared, before);
    },
    succeeded: async (attempt) => {
      const { own, together } = countsOf(attempt);
      for (const { key } of [own, ...Object.values(together ?? {})]) await sessions.clearFailures({ key });
    },
  };
}

/** The delay before the next attempt, after a number of failures. */
function delayAfter(count: number, free: number): number {
  return count < free ? 0 : Math.min(maxDelayMs, firstDelayMs * 2 ** (count - free));
}
