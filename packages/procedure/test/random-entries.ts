import type { JsonObject } from "@procedo/contract";
import type { Asked, Entry, FrozenCall, Intent, OpenReview, Raised } from "@procedo/procedure";
import type { RandomSource } from "./random-source.ts";

/** Entries as the owner of a run would write them, with as little in them as the interpreter needs. */

export function frozen(connection: string, action: string, random: RandomSource): FrozenCall {
  const args: JsonObject = { amount: random.below(100) };
  const effect = random.pick(["read", "idempotent", "once"] as const);
  const handedOut = random.chance(0.2) ? ({ handedOut: true } as const) : {};
  return { connection, connectionId: "con_1", action, revision: "r1", effect, ...handedOut, args };
}

export function intent(
  nodeId: string,
  visit: number,
  call: number,
  attempt: number,
  of: FrozenCall,
  atMs: number,
): Intent {
  const key = `${nodeId}/${visit}/${call}`;
  return { type: "intent", atMs, nodeId, visit, call, attempt, key, frozen: of, sendByMs: atMs + 5, timeoutMs: 5 };
}

export function asked(
  kind: OpenReview["kind"],
  nodeId: string,
  visit: number,
  atMs: number,
  more: Partial<Pick<OpenReview, "call" | "proposed" | "waivesLimits">> = {},
): Asked {
  const review: OpenReview = {
    reviewId: `review_${atMs}`,
    kind,
    title: "Go on?",
    data: {},
    digest: "d",
    effectKey: `${nodeId}/${visit}`,
    rules: { roles: [], people: [], approvals: 1, outputs: false },
    ...more,
  };
  return { type: "asked", atMs, nodeId, visit, review };
}

export function raised(
  { id, kind }: { readonly id: string; readonly kind: Raised["kind"] },
  visit: number,
  atMs: number,
): Entry {
  return { type: "raised", atMs, nodeId: id, kind, visit, error: { message: "It does not evaluate." } };
}
