import type { ReviewOpened, CompiledCondition, OpenReview } from "@procedo/procedure";
import type { Ids } from "../ports/ids.ts";
import { openReview, reviewersOf } from "./open-review.ts";

/** Characters of an approval's reason, as many as an agent's reason may have. */
const maxReasonLength = 2_000;

/**
 * Opens a review of an agent's answer whose confidence is too low: an approval accepts the answer, or names another
 * branch in its outputs. The model's own words are kept apart from the facts that the engine knows.
 */
export function askAboutAnswer(
  ports: { readonly ids: Ids },
  unsure: {
    /** The node's title, or its id. */
    readonly title: string;
    readonly nodeId: string;
    readonly visit: number;
    readonly question: NonNullable<CompiledCondition["question"]>;
    readonly proposed: NonNullable<OpenReview["proposed"]>;
    /** The model's text beside its answer, as plain text. */
    readonly text: string;
    readonly startedBy: string;
    readonly atMs: number;
  },
): ReviewOpened {
  const { title, nodeId, visit, question, proposed, text, startedBy, atMs } = unsure;
  const { branch, reason, confidence } = proposed;
  return openReview(ports.ids, nodeId, visit, atMs, {
    kind: "question",
    title: `Unsure answer: ${title}`,
    data: {
      question: question.text,
      answers: question.answers.map(({ name, description }) =>
        description === undefined ? { name } : { name, description },
      ),
      proposed: branch,
      confidence,
      ...(question.confidence !== undefined && { confidenceNeeded: question.confidence.atLeast }),
      agent: { reason, text },
    },
    call: undefined,
    rules: {
      ...reviewersOf(question, startedBy),
      outputs: {
        type: "object",
        properties: {
          branch: { type: "string", enum: question.answers.map(({ name }) => name) },
          reason: { type: "string", minLength: 1, maxLength: maxReasonLength },
        },
        required: ["branch"],
        additionalProperties: false,
      },
    },
    proposed,
  });
}
