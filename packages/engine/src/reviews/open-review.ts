import type { JsonObject } from "@procedo/contract";
import { toStorable } from "@procedo/storage";
import type { ReviewOpened, OpenReview, ReviewedCall, ReviewRules, Reviewers } from "@procedo/procedure";
import type { Ids } from "../ports/ids.ts";
import { reviewDigest } from "./digests.ts";

const maxTitleLength = 500;

/** The origin of an agent's call: facts that the engine knows, apart from the model's own words. */
export interface AgentFacts {
  /**
   * By the JSON pointer of the argument: `agent` where the model wrote the argument, `procedure` where the document
   * contains it, else its sources, a list of `{ path, from }` with the kind of each.
   */
  readonly argumentOrigins: JsonObject;
  /** The model's words beside the call, as plain text. */
  readonly text: string;
}

/** The entry that opens a review. */
export function openReview(
  ids: Ids,
  nodeId: string,
  visit: number,
  atMs: number,
  shown: Pick<OpenReview, "kind" | "title" | "rules" | "waivesLimits" | "proposed"> & {
    readonly data: JsonObject;
    readonly call: ReviewedCall | undefined;
    readonly effectKey?: string;
  },
): ReviewOpened {
  const { kind, data, call, rules, waivesLimits, proposed } = shown;
  const title = toStorable(shown.title.slice(0, maxTitleLength));
  const reviewId = ids("rev");
  return {
    type: "review_opened",
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

/** The reviewers of a node's review: those that the procedure names, else any one reviewer. */
export function reviewersOf(
  { answeredBy }: { readonly answeredBy?: Reviewers },
  startedBy: string,
): Omit<ReviewRules, "outputs"> {
  if (answeredBy === undefined) return { roles: [], people: [], approvals: 1 };
  return rulesOf(answeredBy, startedBy);
}

/** The rules of a review, without the schema of its outputs. */
export function rulesOf(reviewers: Reviewers, startedBy: string): Omit<ReviewRules, "outputs"> {
  const { roles, people, approvals, excludeStarter, excludeApproversOf } = reviewers;
  return {
    roles,
    people,
    approvals,
    ...(excludeStarter ? { excludes: startedBy } : {}),
    ...(excludeApproversOf.length === 0 ? {} : { excludesApproversOf: excludeApproversOf }),
  };
}
