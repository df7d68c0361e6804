import { hash } from "node:crypto";

/**
 * The idempotency key of a call: 32 characters, the same for each attempt and after each restart, different for every
 * other call. Journals omit it because it is derived, so the derivation may never change.
 */
export function callKey(runId: string, nodeId: string, visit: number, call: number): string {
  return hash("sha256", `${runId}\n${nodeId}\n${visit}\n${call}`, "base64url").slice(0, 32);
}

/** The effect key of the notification that settles one attempt of a call: a decision about it, or its late answer. */
export function outcomeKey({ key, attempt }: { readonly key: string; readonly attempt: number }): string {
  return `${outcomePrefix(key)}${attempt}`;
}

/** The attempt that an {@link outcomeKey} of the call `key` names; `undefined` for any other effect key. */
export function attemptOfOutcome(key: string, effectKey: string): number | undefined {
  const prefix = outcomePrefix(key);
  const number = effectKey.slice(prefix.length);
  return effectKey.startsWith(prefix) && /^[1-9]\d*$/.test(number) ? Number(number) : undefined;
}

function outcomePrefix(key: string): string {
  return `outcome:${key}:`;
}
