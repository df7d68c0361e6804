import { maxReviewDataBytes } from "@procedo/contract";
import type { ReviewOpened, ReviewedCall, RunLimits, RunState, Step, StepError } from "@procedo/procedure";
import type { Ids } from "../ports/ids.ts";
import { openReview, rulesOf } from "../reviews/open-review.ts";
import { callDigest } from "../reviews/digests.ts";
import type { FoundAction } from "./find-action.ts";
import { freezeCall } from "./freeze-call.ts";
import { renderObject, scopeOf } from "./render.ts";

interface AskPorts {
  readonly ids: Ids;
  readonly limits: RunLimits;
}

export type OpenedReview = { readonly ok: true; readonly entry: ReviewOpened } | ({ readonly ok: false } & StepError);

/** Opens the review of a Human Review node: renders its title and data, and freezes the call that it covers. */
export function askPeople(
  ports: AskPorts,
  state: RunState,
  step: Extract<Step, { do: "ask" }>,
  found: FoundAction | undefined,
  atMs: number,
): OpenedReview {
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
    entry: openReview(ports.ids, node.id, visit, atMs, {
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
