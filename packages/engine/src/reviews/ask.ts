import { maxReviewDataBytes, type JsonObject } from "@procedo/contract";
import { toStorable } from "@procedo/storage";
import type {
  Asked,
  CompiledToolCall,
  FrozenCall,
  OpenReview,
  ReviewedCall,
  ReviewRules,
  Reviewers,
  RunLimits,
  RunState,
  Step,
} from "@procedo/procedure";
import type { FoundAction } from "../calls/find-action.ts";
import { freezeCall } from "../calls/freeze-call.ts";
import { shownKeyAge } from "../calls/key-age.ts";
import { renderObject, scopeOf } from "../calls/render.ts";
import type { Ids } from "../ports/ids.ts";
import { callDigest, reviewDigest } from "./review-row.ts";

const maxTitleLength = 500;

interface AskPorts {
  readonly ids: Ids;
  readonly limits: RunLimits;
}

export type AskedOrNot =
  | { readonly ok: true; readonly entry: Asked }
  | { readonly ok: false; readonly message: string; readonly code?: "limit" };

/** Opens the review of a Human Review node: renders and freezes what is shown, and the call that it covers. */
export function askPeople(
  ports: AskPorts,
  state: RunState,
  step: Extract<Step, { do: "ask" }>,
  found: FoundAction | undefined,
  atMs: number,
): AskedOrNot {
  const { node, visit, covered } = step;
  const scope = scopeOf(state);
  const title = node.title.render(scope);
  if (!title.ok) return { ...title, message: `The title of "${node.id}": ${title.message}` };
  const bounds = { depth: ports.limits.depth, stepBytes: Math.min(maxReviewDataBytes, ports.limits.stepBytes) };
  const data = renderObject(node.data, scope, bounds, `The data of "${node.id}"`);
  if (!data.ok) return data;

  let call: ReviewedCall | undefined;
  if (covered !== undefined && found !== undefined) {
    const frozen = freezeCall(ports.limits, state, covered, found);
    if (!frozen.ok) {
      const { code } = frozen;
      const message = `Review "${node.id}" covers "${covered.id}". ${frozen.message}`;
      return code === undefined ? { ok: false, message } : { ok: false, message, code };
    }
    call = { ...frozen.call, nodeId: covered.id, digest: callDigest(frozen.call) };
  }
  return {
    ok: true,
    entry: asked(ports.ids, node.id, visit, atMs, {
      kind: "human_review",
      title: typeof title.value === "string" ? title.value : JSON.stringify(title.value ?? ""),
      data: data.value,
      call,
      rules: {
        ...rulesOf({ ...node, ...node.reviewers }, state.facts.startedBy),
        ...(node.expiresAfterMs === undefined ? {} : { expiresAtMs: atMs + node.expiresAfterMs }),
        outputs: node.outputs?.schema ?? true,
      },
    }),
  };
}

/** A call that is not made before people have let it through. */
interface HeldCall {
  readonly node: CompiledToolCall;
  readonly visit: number;
  readonly call: FrozenCall;
  readonly startedBy: string;
  readonly atMs: number;
  readonly agent: AgentFacts | undefined;
}

/** Opens the review of a call that guards held back; an approval sends exactly this call. */
export function askByGuards(ports: { readonly ids: Ids }, held: HeldCall, guards: readonly string[]): Asked {
  return askAboutCall(ports, held, { kind: "guard", why: "Guard held back", data: { guards } });
}

/**
 * Opens the review of a call for which its sums have no room; an approval sends exactly this call, beyond them.
 *
 * @param limits - every limit that the call adds to: what is taken, what it asks for, and whether that is too much
 */
export function askByLimits(ports: { readonly ids: Ids }, held: HeldCall, limits: readonly JsonObject[]): Asked {
  const data = { guards: [], limits };
  return askAboutCall(ports, held, { kind: "guard", why: "Limit reached", data, waivesLimits: true });
}

/** Opens the review of a call whose function asks for one; an approval hands out exactly this call. */
export function askForFunction(ports: { readonly ids: Ids }, held: HeldCall): Asked {
  return askAboutCall(ports, held, { kind: "function", why: "Approval needed", data: {} });
}

interface CallQuestion extends Pick<OpenReview, "kind" | "waivesLimits"> {
  /** Stands before the node's name. */
  readonly why: string;
  /** Shown before the call. */
  readonly data: JsonObject;
}

function askAboutCall(
  { ids }: { readonly ids: Ids },
  { node, visit, call, startedBy, atMs, agent }: HeldCall,
  { why, data, ...question }: CallQuestion,
): Asked {
  return asked(ids, node.id, visit, atMs, {
    ...question,
    title: `${why}: ${node.title ?? node.id}`,
    data: { ...data, ...shownCall(call, agent) },
    call: { ...call, nodeId: node.id, digest: callDigest(call) },
    rules: { ...reviewersOf(node, startedBy), outputs: false },
  });
}

/** Where an agent's call comes from: facts of the engine apart from the model's own words. */
export interface AgentFacts {
  /**
   * Of each argument, by its JSON pointer: `agent` where the model wrote it, `procedure` where the document says it, else what
   * the document makes it of: a list of `{ path, from }`, `from` being whose word that is.
   */
  readonly argumentOrigins: JsonObject;
  /** What the model said beside the call, as plain text. */
  readonly text: string;
}

function shownCall({ connection, action, args }: FrozenCall, agent: AgentFacts | undefined): JsonObject {
  const shown = { connection, action, arguments: args };
  return agent === undefined
    ? shown
    : { ...shown, argumentOrigins: agent.argumentOrigins, agent: { text: agent.text } };
}

/** Asks what became of a call of which only this is known: it may have been made. */
export function askAboutOutcome(
  ports: { readonly ids: Ids },
  state: RunState,
  { node, intent, reason, answered, notBeforeMs }: Extract<Step, { do: "ask_outcome" }>,
  found: FoundAction,
  atMs: number,
  agent: AgentFacts | undefined,
): Asked {
  const key = shownKeyAge(intent, atMs);
  return asked(ports.ids, node.id, intent.visit, atMs, {
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
    // What came has used up the key of the attempt.
    ...(!answered && { effectKey: outcomeKey(intent) }),
    rules: {
      ...reviewersOf(node, state.facts.startedBy),
      // What a person says the call answered is held to what it may answer.
      outputs: (found.ok ? found.action.output : undefined) ?? true,
      // It is asked once that time is over, also where a clock that was set back says otherwise.
      ...(notBeforeMs === undefined ? {} : { notBeforeMs: Math.min(notBeforeMs, atMs) }),
    },
  });
}

/** The notification that settles what became of one attempt: a decision about it, or its late answer. */
export function outcomeKey(intent: { readonly key: string; readonly attempt: number }): string {
  return `outcome:${intent.key}:${intent.attempt}`;
}

/** The attempt of a call whose outcome an {@link outcomeKey} names; `undefined` when it names another call's. */
export function attemptOfOutcome(key: string, effectKey: string): number | undefined {
  const prefix = `outcome:${key}:`;
  const number = effectKey.slice(prefix.length);
  return effectKey.startsWith(prefix) && /^[1-9]\d*$/.test(number) ? Number(number) : undefined;
}

/** Who may answer what a node asks: those whom the procedure names, else one of all who review. */
export function reviewersOf(
  { answeredBy }: { readonly answeredBy?: Reviewers },
  startedBy: string,
): Omit<ReviewRules, "outputs"> {
  if (answeredBy === undefined) return { roles: [], people: [], approvals: 1 };
  return rulesOf(answeredBy, startedBy);
}

function rulesOf(reviewers: Reviewers, startedBy: string): Omit<ReviewRules, "outputs"> {
  const { roles, people, approvals, excludeStarter, excludeApproversOf } = reviewers;
  return {
    roles,
    people,
    approvals,
    ...(excludeStarter ? { excludes: startedBy } : {}),
    ...(excludeApproversOf.length === 0 ? {} : { excludesApproversOf: excludeApproversOf }),
  };
}

/** What opens a review, whatever it is about. */
export function asked(
  ids: Ids,
  nodeId: string,
  visit: number,
  atMs: number,
  shown: Pick<OpenReview, "kind" | "title" | "rules" | "waivesLimits" | "proposed"> & {
    readonly data: JsonObject;
    readonly call: ReviewedCall | undefined;
    readonly effectKey?: string;
  },
): Asked {
  const { kind, data, call, rules, waivesLimits, proposed } = shown;
  const title = toStorable(shown.title.slice(0, maxTitleLength));
  const reviewId = ids("rev");
  return {
    type: "asked",
    atMs,
    nodeId,
    visit,
    review: {
      reviewId,
      kind,
      title,
      data,
      digest: reviewDigest({ kind, title, data, call }),
      effectKey: shown.effectKey ?? `review:${reviewId}`,
      rules,
      ...(call === undefined ? {} : { call }),
      ...(waivesLimits === undefined ? {} : { waivesLimits }),
      ...(proposed === undefined ? {} : { proposed }),
    },
  };
}
