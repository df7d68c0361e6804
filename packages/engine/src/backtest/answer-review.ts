import { normalName, type JsonObject, type JsonValue } from "@procedo/contract";
import { approvedAnswer, type CompiledNode, type OpenReview, type ReviewAnswer } from "@procedo/procedure";
import type { EarlierApproval } from "../access/may-decide.ts";
import { jsonDifferences } from "../json/json-differences.ts";
import { diverged, fromRecord, type RecordedAnswer } from "./recorded-answer.ts";
import type { RecordedReview } from "./recorded-run.ts";

export interface AnsweredReview {
  readonly answer: ReviewAnswer;
  /** The time of the answer; `undefined` for the present time of the replay. */
  readonly atMs?: number;
}

/** The record's answer to a review of another version. Pure. */
export function answerReview(question: {
  readonly review: OpenReview;
  readonly recorded: RecordedReview | undefined;
  readonly node: CompiledNode | undefined;
  readonly strict: boolean;
  readonly assumeApproved: boolean;
  /** The earlier approvals in this replay. */
  readonly earlier: readonly EarlierApproval[];
}): RecordedAnswer<AnsweredReview> {
  const { review, recorded, node, strict, assumeApproved, earlier } = question;
  const { title } = review;
  if (recorded === undefined) {
    const mayAssume = assumeApproved && review.kind !== "outcome_unknown";
    if (!mayAssume) return diverged(`Review "${title}" is opened, but the record has no such review.`);
    if (lacksOutputs(node, undefined))
      return diverged(`Review "${title}" needs outputs, which an assumed approval lacks.`);
    return fromRecord({ answer: { status: "approved", decisions: [] } }, true);
  }
  const { closed } = recorded;
  if (closed === undefined) return { status: "open" };
  const isReused = !isSameQuestion(recorded.opened.review, review);
  if (isReused && strict) return diverged(`Review "${title}" shows other content.`);
  const { answer, atMs } = closed;
  const expiredAtMs = expiredBefore(recorded, review, answer);
  if (expiredAtMs !== undefined) {
    return fromRecord({ answer: { status: "expired", decisions: [] }, atMs: expiredAtMs });
  }
  const problem = unfit(review, answer, node, earlier);
  return problem === undefined ? fromRecord({ answer, atMs }, isReused) : diverged(problem);
}

/** The time at which a review with a deadline other than the recorded one expired before the recorded decision. */
function expiredBefore(
  { opened }: RecordedReview,
  { rules: { expiresAtMs } }: OpenReview,
  answer: ReviewAnswer,
): number | undefined {
  if (expiresAtMs === undefined || answer.status === "expired" || !("decisions" in answer)) return undefined;
  // The review opened at the recorded time, so that an equal duration ends at an equal time.
  if (expiresAtMs === opened.review.rules.expiresAtMs) return undefined;
  const decidedAtMs = Math.max(...answer.decisions.map((decision) => decision.atMs));
  return expiresAtMs <= decidedAtMs ? expiresAtMs : undefined;
}

/** The reason why the recorded answer does not fit the review of this version; `undefined` if it fits. */
function unfit(
  review: OpenReview,
  answer: ReviewAnswer,
  node: CompiledNode | undefined,
  earlier: readonly EarlierApproval[],
): string | undefined {
  const { rules, title, kind, proposed } = review;
  if (answer.status === "expired" && rules.expiresAtMs === undefined) {
    return `Review "${title}" expired in the record, but has no deadline in this version.`;
  }
  if (answer.status !== "approved") return undefined;
  const approvals = answer.decisions.filter(({ approved }) => approved);
  if (approvals.length < rules.approvals) {
    return `Review "${title}" needs ${rules.approvals} approvals, and the record has ${approvals.length}.`;
  }
  const people = new Set(approvals.map(({ person }) => normalName(person)));
  if (rules.excludes !== undefined && people.has(normalName(rules.excludes))) {
    return `Review "${title}" was approved by the person who started the run, who may no longer decide.`;
  }
  const again = earlier.find(
    ({ nodeId, person }) => rules.excludesApproversOf?.includes(nodeId) && people.has(normalName(person)),
  );
  if (again !== undefined) {
    return `Review "${title}" was approved by a person who had approved "${again.nodeId}" and may no longer decide.`;
  }
  if (kind === "question" && node?.kind === "condition") {
    const branch = approvedAnswer(proposed, answer.outputs)?.branch;
    if (branch !== undefined && node.to.has(branch)) return undefined;
    return `Review "${title}" was answered with a branch that this version does not have.`;
  }
  if (lacksOutputs(node, answer.outputs))
    return `Review "${title}" needs outputs, and its approval in the record has none.`;
  if (node?.kind !== "human_review" || node.outputs === undefined || answer.outputs === undefined) return undefined;
  const fits = node.outputs.validator.validate(answer.outputs).length === 0;
  return fits ? undefined : `The outputs of review "${title}" no longer fit its schema.`;
}

function lacksOutputs(node: CompiledNode | undefined, outputs: JsonObject | undefined): boolean {
  if (node?.kind !== "human_review" || node.outputs === undefined || outputs !== undefined) return false;
  return node.outputs.validator.validate({}).length > 0;
}

function isSameQuestion(was: OpenReview, is: OpenReview): boolean {
  const call = (one: OpenReview): JsonValue => one.call?.args ?? null;
  return (
    was.title === is.title &&
    jsonDifferences(was.data, is.data).length === 0 &&
    jsonDifferences(call(was), call(is)).length === 0
  );
}
