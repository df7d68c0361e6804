import * as z from "zod";
import type { ErrorCode } from "./errors.ts";
import { errorCatalogue, ProcedoError } from "./errors.ts";

const errorDetailSchema = z
  .strictObject({
    path: z.string().meta({ description: "JSON pointer (RFC 6901) into the request; empty for the whole." }),
    message: z.string(),
    nodeId: z.string().optional().meta({
      description: "Of a problem in a procedure's document: the node that contains it, or the source node of the edge.",
    }),
  })
  .meta({ id: "ErrorDetail" });

export const errorCodeSchema = z
  .enum(Object.keys(errorCatalogue) as ErrorCode[])
  .meta({ description: "Stable code for programs, unlike the text in `error`." });

/** Body of every error answer. */
export const errorBodySchema = z
  .strictObject({
    error: z.string().meta({ description: "What failed, and what to do." }),
    code: errorCodeSchema,
    details: z
      .array(errorDetailSchema)
      .optional()
      .meta({ description: "The places that have to change, as many as fit into 64 Ki characters." }),
    requestId: z.string().meta({ description: "Finds the request in the service's log." }),
  })
  .meta({ id: "Error" });

/** Body of every error answer. */
export type ErrorBody = z.infer<typeof errorBodySchema>;

/** The body that tells a caller of an error. */
export function errorBodyOf(error: ProcedoError, requestId: string): ErrorBody {
  const details = error.details.map(({ path, message, nodeId }) => {
    return { path, message, ...(nodeId !== undefined && { nodeId }) };
  });
  return { error: error.message, code: error.code, ...(details.length > 0 && { details }), requestId };
}

/** A newer service, or a proxy in between, may answer anything, so every field is optional. */
const anyBody = z
  .object({
    error: z.string().min(1).optional().catch(undefined),
    code: z.string().optional().catch(undefined),
    details: z.array(errorDetailSchema).optional().catch(undefined),
    requestId: z.string().optional().catch(undefined),
  })
  .catch({});

/**
 * The error that an answer tells of. Never throws: a body that is no error body, or a code that this version does not
 * know, gives the code that says most about the status.
 *
 * @param body - the parsed JSON, or `undefined` when the answer held none
 */
export function errorFromBody(
  status: number,
  body: unknown,
  options: { readonly retryAfterMs?: number } = {},
): ProcedoError {
  const { error, code, details, requestId } = anyBody.parse(body);
  return new ProcedoError(
    isErrorCode(code) ? code : codeOfStatus(status, body),
    error ?? `The service answered ${status} and no reason.`,
    { ...options, ...(details && { details }), ...(requestId !== undefined && { requestId }) },
  );
}

function isErrorCode(code: string | undefined): code is ErrorCode {
  return code !== undefined && Object.hasOwn(errorCatalogue, code);
}

const codesOfStatus: Readonly<Record<number, ErrorCode>> = {
  401: "unauthorized",
  403: "permission_denied",
  404: "not_found",
  408: "overloaded",
  409: "revision_conflict",
  412: "revision_conflict",
  413: "payload_too_large",
  415: "unsupported_media_type",
  422: "invalid_input",
  429: "rate_limited",
  502: "overloaded",
  503: "overloaded",
  504: "overloaded",
};

function codeOfStatus(status: number, body: unknown): ErrorCode {
  if (status === 504 && isRunTimeout(body)) return "run_timeout";
  return codesOfStatus[status] ?? (status >= 400 && status < 500 ? "malformed_request" : "internal");
}

/** The contract's reply to a sync run that took too long; any other 504 is a gateway's. */
function isRunTimeout(body: unknown): boolean {
  return typeof body === "object" && body !== null && "status" in body && body.status === "timeout";
}
