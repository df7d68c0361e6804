import type { JsonObject } from "@procedo/contract";
import type { ReviewOpened, CompiledToolCall, FrozenCall, OpenReview, RunState, Step } from "@procedo/procedure";
import { outcomeKey } from "../journal/effect-keys.ts";
import type { Ids } from "../ports/ids.ts";
import { openReview, reviewersOf, type AgentFacts } from "../reviews/open-review.ts";
import { callDigest } from "../reviews/digests.ts";
import type { FoundAction } from "./find-action.ts";
import { shownKeyAge } from "./key-age.ts";

/** A call that waits for an approval. */
interface HeldCall {
  readonly node: CompiledToolCall;
  readonly visit: number;
  readonly call: FrozenCall;
  readonly startedBy: string;
  readonly atMs: number;
  readonly agent: AgentFacts | undefined;
}

/** Opens the review of a call whose guards did not hold. An approval sends exactly this call. */
export function askByGuards(ports: { readonly ids: Ids }, held: HeldCall, guards: readonly string[]): ReviewOpened {
  return askAboutCall(ports, held, { kind: "guard", why: "Guard held back", data: { guards } });
}

/**
 * Opens the review of a call that would exceed a limit. An approval sends exactly this call, beyond the limit.
 *
 * @param limits - each limit that the call adds to: its total, the amount of the call, and whether their sum is too
 *   high
 */
export function askByLimits(ports: { readonly ids: Ids }, held: HeldCall, limits: readonly JsonObject[]): ReviewOpened {
  const data = { guards: [], limits };
  return askAboutCall(ports, held, { kind: "guard", why: "Limit reached", data, waivesLimits: true });
}

/** Opens the review of a call whose function requires one. An approval dispatches exactly this call. */
export function askForFunction(ports: { readonly ids: Ids }, held: HeldCall): ReviewOpened {
  return askAboutCall(ports, held, { kind: "function", why: "Approval needed", data: {} });
}

interface CallQuestion extends Pick<OpenReview, "kind" | "waivesLimits"> {
  /** Precedes the node's name in the title. */
  readonly why: string;
  /** Shown above the call. */
  readonly data: JsonObject;
}

function askAboutCall(
  { ids }: { readonly ids: Ids },
  { node, visit, call, startedBy, atMs, agent }: HeldCall,
  { why, data, ...question }: CallQuestion,
): ReviewOpened {
  return openReview(ids, node.id, visit, atMs, {
    ...question,
    title: `${why}: ${node.title ?? node.id}`,
    data: { ...data, ...shownCall(call, agent) },
    call: { ...call, nodeId: node.id, digest: callDigest(call) },
    rules: { ...reviewersOf(node, startedBy), outputs: false },
  });
}

function shownCall({ connection, account, action, args }: FrozenCall, agent: AgentFacts | undefined): JsonObject {
  const shown = { connection, ...(account?.name !== undefined && { account: account.name }), action, arguments: args };
  return agent === undefined
    ? shown
    : { ...shown, argumentOrigins: agent.argumentOrigins, agent: { text: agent.text } };
}

/** Opens the review of a call whose outcome is unknown: it may have been made. */
export function askAboutOutcome(
  ports: { readonly ids: Ids },
  state: RunState,
  { node, intent, reason, answered, notBeforeMs }: Extract<Step, { do: "ask_outcome" }>,
  found: FoundAction,
  atMs: number,
  agent: AgentFacts | undefined,
): ReviewOpened {
  const key = shownKeyAge(intent, atMs);
  return openReview(ports.ids, node.id, intent.visit, atMs, {
    kind: "outcome_unknown",
    title: `Outcome unknown${key.expired ? ", idempotency key expired" : ""}: ${node.title ?? node.id}`,
    data: {
      reason,
      ...shownCall(intent.frozen, agent),
      idempotencyKey: intent.key,
      attempt: intent.attempt,
      sentAt: new Date(intent.atMs).toISOString(),
      ...key.data,
    },
    call: undefined,
    // The answer of an answered attempt has consumed the attempt's effect key.
    ...(!answered && { effectKey: outcomeKey(intent) }),
    rules: {
      ...reviewersOf(node, state.facts.startedBy),
      // The output that a person enters must fit the output schema of the action.
      outputs: (found.ok ? found.action.output : undefined) ?? true,
      // The review opens after that time, but a clock that was set back may show an earlier time.
      ...(notBeforeMs === undefined ? {} : { notBeforeMs: Math.min(notBeforeMs, atMs) }),
    },
  });
}
