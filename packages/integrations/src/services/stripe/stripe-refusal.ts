import type { JsonValue } from "@procedo/contract";
import * as z from "zod";
import type { ServiceRefusal } from "../../kit/index.ts";

const errorBody = z.object({
  error: z.looseObject({
    type: z.string().optional(),
    code: z.string().optional(),
    decline_code: z.string().optional(),
    message: z.string().optional(),
  }),
});

/**
 * A refusal of Stripe in words for people. An answer of 5xx is left to its status: the work may have been done.
 *
 * Source: https://docs.stripe.com/api/errors
 */
export function stripeRefusal({
  status,
  body,
}: {
  readonly status: number;
  readonly body: JsonValue;
}): ServiceRefusal | undefined {
  if (status < 400 || status >= 500) return undefined;
  if (status === 401) return { message: "Stripe does not accept the secret key of the connection." };
  const parsed = errorBody.safeParse(body);
  return parsed.success ? inWords(status, parsed.data.error) : undefined;
}

function inWords(status: number, error: z.output<typeof errorBody>["error"]): ServiceRefusal {
  const { type, code, decline_code: declineCode, message = "No reason is given." } = error;
  const codes = [...new Set([code, declineCode])].filter((one) => one !== undefined).join(", ");
  const reason = codes === "" ? message : `${message} (${codes})`;
  if (type === "idempotency_error") {
    // The key arrived before, so that the work of an earlier attempt may be under way or done.
    return { message: `Stripe has seen this call's idempotency key before: ${reason}`, outcome: "conflict" };
  }
  if (status === 403) return { message: `The connection's key lacks a permission: ${reason}` };
  if (status === 429) return { message: `Stripe takes no more requests at the moment: ${reason}` };
  if (type === "card_error") return { message: `The payment was declined: ${reason}` };
  return { message: `Stripe refused the call: ${reason}` };
}
