import * as z from "zod";
import type { ServiceRefusal, ServiceReply } from "../../kit/index.ts";

const errorBody = z.looseObject({
  error_type: z.string(),
  error_code: z.string().regex(/^[A-Za-z0-9_-]{1,100}$/),
  error_message: z.string().nullish(),
});

/**
 * A refusal of Plaid in words for people. An answer of 5xx is left to its status: the work may have been done.
 *
 * Source: https://plaid.com/docs/errors/
 */
export function plaidRefusal({ status, body }: ServiceReply): ServiceRefusal | undefined {
  if (status < 400 || status >= 500) return undefined;
  const parsed = errorBody.safeParse(body);
  if (!parsed.success) return undefined;
  const { error_type: type, error_code: code, error_message: reason } = parsed.data;
  const known = sentences.get(code);
  const told = `${reason ?? "No reason is given."} (${code})`;
  if (known !== undefined) return { message: `${known} (${code})`, ...(later.has(code) && { retryable: true }) };
  if (type === "RATE_LIMIT_EXCEEDED") return { message: `Plaid takes no more of these requests now: ${told}` };
  if (type === "ITEM_ERROR") return { message: `The item cannot be used: ${told}` };
  return { message: `Plaid refused the call: ${told}` };
}

/** The work was not done, and may succeed later. */
const later: ReadonlySet<string> = new Set([
  "PRODUCT_NOT_READY",
  "INSTITUTION_DOWN",
  "INSTITUTION_NOT_RESPONDING",
  "TRANSACTIONS_SYNC_MUTATION_DURING_PAGINATION",
]);

const sentences: ReadonlyMap<string, string> = new Map([
  ["INVALID_API_KEYS", "Plaid does not accept the client id and secret in this environment."],
  ["INVALID_ACCESS_TOKEN", "Plaid does not accept the access token of the item."],
  ["ITEM_LOGIN_REQUIRED", "The bank wants the owner of the item to log in again, in the update mode of Plaid Link."],
  ["PRODUCT_NOT_READY", "Plaid is still collecting the data of the item."],
  ["INSTITUTION_DOWN", "The bank cannot be reached."],
  ["INSTITUTION_NOT_RESPONDING", "The bank does not answer."],
  ["TRANSACTIONS_SYNC_MUTATION_DURING_PAGINATION", "The transactions changed while they were read."],
]);
