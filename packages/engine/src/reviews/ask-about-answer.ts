import type { ReviewOpened, CompiledCondition, OpenReview } from "@procedo/procedure";
import type { Ids } from "../ports/ids.ts";
import { openReview, reviewersOf } from "./open-review.ts";

/** An approval's reason may be as long as an agent's. */
const maxReasonLength = 2_000;

/**
 * Asks about an agent's answer that is not sure enough: an approval takes it, or names another branch in its outputs. What
 * the model said in its own words stands apart from what the engine knows.
 */
export function askAboutAnswer(
  ports: { readonly ids: Ids },
  unsure: {
    /** The node's, or its id. */
    readonly title: string;
    readonly nodeId: string;
    readonly visit: number;
    readonly question: NonNullable<CompiledCondition["question"]>;
    readonly proposed: NonNullable<OpenReview["proposed"]>;
    /** What the model said beside its answer, as plain text. */
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
