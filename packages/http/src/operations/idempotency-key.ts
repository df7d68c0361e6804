import { idempotencyKeyHeaderSchema, ProcedoError } from "@procedo/contract";
import type { Call } from "../operation-calls.ts";

/** The header `Idempotency-Key` of a request; `undefined` without one. @throws ProcedoError `malformed_request` */
export function idempotencyKeyOf(call: Pick<Call, "header">): string | undefined {
  const header = call.header("idempotency-key");
  if (header === undefined) return undefined;
  const key = idempotencyKeyHeaderSchema.safeParse(header);
  if (key.success) return key.data;
  const message = "The header Idempotency-Key must be 1 to 255 visible ASCII characters, given once.";
  throw new ProcedoError("malformed_request", message);
}
