import * as z from "zod";
import type { ErrorCode } from "./errors.ts";
import { idSchema } from "./identifiers.ts";
import { jsonObjectSchema } from "./json.ts";
import type { RequestProblem } from "./request-problems.ts";

/** Body of `POST {app_url}/api/runner-proxy/review/:runId`. */
export const reviewDecisionSchema = z
  .strictObject({
    approved: z.boolean().meta({
      description:
        "true resumes the run. false fails it, or resumes it with the node that the review names for rejections.",
    }),
    outputs: jsonObjectSchema
      .optional()
      .meta({ description: "On approval, replaces the review node's result; later nodes see these values." }),
    rejectionReason: z
      .string()
      .max(5_000)
      .optional()
      .meta({ description: "Required when `approved` is false; stored in the run's `error`." }),
    idempotencyKey: z.uuidv4().meta({
      description:
        "New for each submission; the same one for the same run answers the original decision to the person who made it.",
    }),
    reviewId: idSchema.optional().meta({ description: "The review that is decided; 409 when another one is open." }),
    reviewDigest: z.string().min(1).max(128).optional().meta({
      description: "Digest of the review as the reviewer saw it; 412 when it is not that of the open review.",
    }),
  })
  .refine(({ approved, rejectionReason }) => approved || !isBlank(rejectionReason), {
    path: ["rejectionReason"],
    error: "is required when approved is false",
    // Runs although another field is wrong, so that the caller learns of every fault at once.
    when: ({ value }) => isRejection(value),
  })
  .meta({ id: "ReviewDecision" });

/** The code of a decision that does not fit: the contract carries two of its faults with 422, all others with 400. */
export function decisionErrorCode(problems: readonly RequestProblem[]): ErrorCode {
  if (problems.some(({ path }) => path === "/rejectionReason" || path === "/idempotencyKey")) return "invalid_decision";
  return problems.some(({ kind }) => kind === "unknown_field") ? "unknown_field" : "malformed_request";
}

/** A reason that is no text at all is a problem of its own, which the schema names. */
function isBlank(reason: unknown): boolean {
  return reason === undefined || (typeof reason === "string" && reason.trim() === "");
}

function isRejection(value: unknown): boolean {
  return typeof value === "object" && value !== null && "approved" in value && value.approved === false;
}
