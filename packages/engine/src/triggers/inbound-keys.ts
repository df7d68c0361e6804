import { ProcedoError, type JsonValue } from "@procedo/contract";
import { LruCache } from "@procedo/contract/syntax";
import type { Clock } from "../ports/clock.ts";

const keptMs = 3_600_000;
const unknownMs = 60_000;
const maxConnections = 1_000;
const maxKept = 20;
const maxUnknown = 200;
/** Questions about new keys within a minute: anyone who knows the address can name keys that do not exist. */
const maxQuestions = 6;

/** Asks the service for a key; `undefined` if it has no such key. @throws Error whose message has no secrets */
export type AskForKey = (keyId: string) => Promise<JsonValue | undefined>;

/** The public keys of the services of connections. */
export interface InboundKeys {
  /**
   * The key of a connection's service. `undefined` if the service has no such key.
   *
   * @throws ProcedoError `inbound_unavailable` if the service is not to be asked now, or did not answer
   */
  of(connectionId: string, keyId: string, ask: AskForKey): Promise<JsonValue | undefined>;
}

/** Keeps the keys that services publish, and bounds the questions for others. */
export function createInboundKeys(clock: Pick<Clock, "monotonic">): InboundKeys {
  const services = new LruCache<string, ServiceKeys>(maxConnections);
  return {
    of: async (connectionId, keyId, ask) => {
      const keys = services.get(connectionId) ?? serviceKeys(clock);
      void services.set(connectionId, keys);
      return await keys(keyId, ask);
    },
  };
}

type ServiceKeys = (keyId: string, ask: AskForKey) => Promise<JsonValue | undefined>;

function serviceKeys(clock: Pick<Clock, "monotonic">): ServiceKeys {
  const known = new LruCache<string, { readonly key: JsonValue; readonly untilMs: number }>(maxKept);
  // Apart from the known ones, which ids made up by others must not displace.
  const unknown = new LruCache<string, { readonly untilMs: number }>(maxUnknown);
  const asking = new Map<string, Promise<JsonValue | undefined>>();
  let questionsAtMs: readonly number[] = [];

  const question: ServiceKeys = async (keyId, ask) => {
    const nowMs = clock.monotonic();
    // The renewal of a known key is outside of the bound: strangers must not delay it.
    if (known.get(keyId) === undefined) {
      questionsAtMs = questionsAtMs.filter((atMs) => nowMs - atMs < 60_000);
      if (questionsAtMs.length >= maxQuestions) {
        throw unavailable(`The service was asked for ${maxQuestions} new keys within a minute.`);
      }
      questionsAtMs = [...questionsAtMs, nowMs];
    }
    const key = await ask(keyId).catch((error: unknown) => {
      throw unavailable(`The service could not be asked for the key: ${(error as Error).message}`);
    });
    if (key === undefined) {
      known.delete(keyId);
      unknown.set(keyId, { untilMs: nowMs + unknownMs });
    } else known.set(keyId, { key, untilMs: nowMs + keptMs });
    return key;
  };

  return async (keyId, ask) => {
    const nowMs = clock.monotonic();
    const kept = known.get(keyId);
    if (kept !== undefined && kept.untilMs > nowMs) return kept.key;
    if ((unknown.get(keyId)?.untilMs ?? 0) > nowMs) return undefined;
    const asked = asking.get(keyId);
    if (asked !== undefined) return await asked;
    const answer = question(keyId, ask).finally(() => asking.delete(keyId));
    asking.set(keyId, answer);
    return await answer;
  };
}

function unavailable(reason: string): ProcedoError {
  return new ProcedoError("inbound_unavailable", `The signature could not be verified. ${reason}`);
}
