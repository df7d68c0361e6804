import { LruCache } from "@procedo/contract/syntax";
import type { Clock } from "./clock.ts";
import type { Log, LogFields } from "./log.ts";

/** Writes warnings that others can cause as often as they like. */
export interface SparseWarnings {
  /** Writes the warning, unless one about the subject was written in the last 10 minutes, or 20 in the last minute. */
  warn(subject: string, message: string, fields?: LogFields): void;
}

const sameSubjectMs = 600_000;
const windowMs = 60_000;
const mostInWindow = 20;
const maxSubjects = 1_000;

export function createSparseWarnings(log: Pick<Log, "warn">, clock: Pick<Clock, "monotonic">): SparseWarnings {
  const writtenAtMs = new LruCache<string, number>(maxSubjects);
  let windowBeganAtMs = -Infinity;
  let written = 0;
  let left = 0;

  return {
    warn: (subject, message, fields = {}) => {
      const nowMs = clock.monotonic();
      if (nowMs - (writtenAtMs.get(subject) ?? -Infinity) < sameSubjectMs) return;
      if (nowMs - windowBeganAtMs >= windowMs) {
        windowBeganAtMs = nowMs;
        written = 0;
      }
      if (written >= mostInWindow) {
        left += 1;
        return;
      }
      written += 1;
      writtenAtMs.set(subject, nowMs);
      log.warn(message, { ...fields, ...(left > 0 && { warningsLeftOut: left }) });
      left = 0;
    },
  };
}
