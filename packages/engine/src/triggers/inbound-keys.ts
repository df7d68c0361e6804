import { ProcedoError, type JsonValue } from "@procedo/contract";
import { LruCache } from "@procedo/contract/syntax";
import type { Clock } from "../ports/clock.ts";

const keptMs = 3_600_000;
const unknownMs = 60_000;
const maxKept = 20;
const maxUnknown = 200;
/** Questions to the service within a minute: anyone who knows the address can name keys that do not exist. */
const maxQuestions = 6;
const retryAfterMs = 10_000;

/** The public keys of a service, by their ids. */
export interface InboundKeys {
  /**
   * `undefined` if the service has no such key.
   *
   * @throws ProcedoError `inbound_unavailable` if it cannot be asked now
   */
  of(keyId: string): Promise<JsonValue | undefined>;
}

/**
 * Keeps the keys that a service publishes, and asks it for others.
 *
 * @param ask - asks the service; `undefined` if it has no such key
 * @param reasonOf - the reason of a failed question, without secrets
 */
export function createInboundKeys(
  clock: Pick<Clock, "monotonic">,
  ask: (keyId: string) => Promise<JsonValue | undefined>,
  reasonOf: (error: unknown) => string,
): InboundKeys {
  const known = new LruCache<string, { readonly key: JsonValue; readonly untilMs: number }>(maxKept);
  // Apart from the known ones, which ids made up by others must not displace.
  const unknown = new LruCache<string, { readonly untilMs: number }>(maxUnknown);
  const asking = new Map<string, Promise<JsonValue | undefined>>();
  let questionsAtMs: readonly number[] = [];

  const question = async (keyId: string): Promise<JsonValue | undefined> => {
    const nowMs = clock.monotonic();
    questionsAtMs = questionsAtMs.filter((atMs) => nowMs - atMs < 60_000);
    if (questionsAtMs.length >= maxQuestions) {
      throw unavailable(`The service was asked for ${maxQuestions} keys within a minute.`);
    }
    questionsAtMs = [...questionsAtMs, nowMs];
    const key = await ask(keyId).catch((error: unknown) => {
      throw unavailable(`The service could not be asked for the key: ${reasonOf(error)}`);
    });
    if (key === undefined) unknown.set(keyId, { untilMs: nowMs + unknownMs });
    else known.set(keyId, { key, untilMs: nowMs + keptMs });
    return key;
  };

  return {
    of: async (keyId) => {
      const nowMs = clock.monotonic();
      const kept = known.get(keyId);
      if (kept !== undefined && kept.untilMs > nowMs) return kept.key;
      if ((unknown.get(keyId)?.untilMs ?? 0) > nowMs) return undefined;
      const asked = asking.get(keyId);
      if (asked !== undefined) return await asked;
      const answer = question(keyId).finally(() => asking.delete(keyId));
      asking.set(keyId, answer);
      return await answer;
    },
  };
}

function unavailable(reason: string): ProcedoError {
  const message = `The signature could not be verified, and its sender was asked to send the request again. ${reason}`;
  return new ProcedoError("inbound_unavailable", message, { retryAfterMs });
}
