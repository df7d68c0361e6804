import type { SeededRandom } from "@procedo-testing/faults";
import type { JsonObject } from "@procedo/contract";
import type { ReviewOpened, Entry, FrozenCall, Intent, OpenReview, NodeFailed } from "@procedo/procedure";

/** Entries as written by the owner of a run, with only the parts that the interpreter needs. */

export function frozen(connection: string, action: string, random: SeededRandom): FrozenCall {
  const args: JsonObject = { amount: random.below(100) };
  const effect = random.pick(["read", "idempotent", "once"] as const);
  const dispatched = random.chance(0.2) ? ({ dispatched: true } as const) : {};
  return { connection, connectionId: "con_1", action, revision: "r1", effect, ...dispatched, args };
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
): ReviewOpened {
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
  return { type: "review_opened", atMs, nodeId, visit, review };
}

export function nodeFailed(
  { id, kind }: { readonly id: string; readonly kind: NodeFailed["kind"] },
  visit: number,
  atMs: number,
): Entry {
  return { type: "node_failed", atMs, nodeId: id, kind, visit, error: { message: "It does not evaluate." } };
}
