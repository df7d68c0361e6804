import * as z from "zod";
import { refusalMessage, type ServiceRefusal, type ServiceReply } from "../../kit/index.ts";

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
export function stripeRefusal({ status, body }: ServiceReply): ServiceRefusal | undefined {
  if (status < 400 || status >= 500) return undefined;
  const parsed = errorBody.safeParse(body);
  return parsed.success ? inWords(status, parsed.data.error) : { message: refusalMessage("Stripe", status, "") };
}

function inWords(status: number, error: z.output<typeof errorBody>["error"]): ServiceRefusal {
  const { type, code, decline_code: declineCode, message = "" } = error;
  const codes = [...new Set([code, declineCode])].filter((one) => one !== undefined).join(", ");
  const reason = codes === "" ? message : `${message.replace(/\.$/, "")} (${codes})`;
  if (type === "idempotency_error") {
    // The key arrived before, so that the work of an earlier attempt may be under way or done.
    return { message: `Stripe has seen this call's idempotency key before: ${reason}`, outcome: "conflict" };
  }
  if (type === "card_error") return { message: `The payment was declined: ${reason}` };
  return { message: refusalMessage("Stripe", status, reason) };
}
