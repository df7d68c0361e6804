import type { JsonValue } from "@procedo/contract";
import type { TokenRefusal } from "@procedo/engine";
import * as z from "zod";
import { refusalMessage, type ServiceRefusal, type ServiceReply } from "../../kit/index.ts";

/** Of a failed check: the message of the whole, and those of the elements at any depth. */
const validation = z.looseObject({ Message: z.string().nullish(), Elements: z.array(z.json()).nullish() });
/** Of the gateway before the interface. */
const problem = z.looseObject({
  Title: z.string().nullish(),
  Detail: z.string().nullish(),
  detail: z.string().nullish(),
});

/** Most of the single errors that are told. The record has them all. */
const maxTold = 5;

/**
 * A refusal of Xero in words for people. An answer of 5xx is left to its status: the work may have been done.
 *
 * Source: https://developer.xero.com/documentation/api/accounting/responsecodes
 */
export function xeroRefusal({ status, body, headers = {} }: ServiceReply): ServiceRefusal | undefined {
  if (status < 400) return refusedElements(body);
  if (status >= 500) return undefined;
  if (status === 429) return { message: tooMany(headers["x-rate-limit-problem"] ?? "") };
  const reasons = validationErrors(body);
  const { Message: message } = validation.safeParse(body).data ?? {};
  const { Title: title } = problem.safeParse(body).data ?? {};
  const reason = reasons.length > 0 ? told(reasons) : (message ?? detailOf(body) ?? title ?? "");
  const isKeyReused = /idempotency.?key/i.test(reason) && /different request/i.test(reason);
  if (isKeyReused) {
    // The key arrived before, so that the work of an earlier attempt may be done.
    return { message: `Xero has seen this call's idempotency key before: ${reason}`, outcome: "conflict" };
  }
  if (xeroTokenRefusal({ status, body }) !== undefined) {
    return { message: "Xero does not permit the call: the app is not connected to the organisation any more." };
  }
  return { message: refusalMessage("Xero", status, reason) };
}

/**
 * The refusal of an access token by Xero that is no 401: the token may not be used for the organisation. The app was
 * disconnected, its person lost the access, or the organisation is closed or a demo company that was reset. The tokens can
 * still be renewed then, so that this answer alone tells it.
 *
 * Source: https://developer.xero.com/documentation/oauth2/troubleshooting
 */
export function xeroTokenRefusal({ status, body }: Pick<ServiceReply, "status" | "body">): TokenRefusal | undefined {
  return status === 403 && detailOf(body) === "AuthenticationUnsuccessful" ? "ended" : undefined;
}

/** The reason that the gateway gives. Its documentation and its answers write the member differently. */
function detailOf(body: JsonValue): string | undefined {
  const { Detail, detail } = problem.safeParse(body).data ?? {};
  return Detail ?? detail ?? undefined;
}

/** The limits by their names in `X-Rate-Limit-Problem`: https://developer.xero.com/documentation/guides/oauth2/limits/ */
function tooMany(limit: string): string {
  if (/appminute/i.test(limit)) return "The app has had too many requests to Xero within a minute.";
  if (/minute/i.test(limit)) return "The organisation has had too many requests to Xero within a minute.";
  if (/day|daily/i.test(limit)) return "The organisation has had all the requests to Xero that it may have today.";
  if (/concurrent/i.test(limit)) return "The organisation has too many requests to Xero at the same time.";
  return refusalMessage("Xero", 429, "");
}

const list = z.array(z.json());
const element = z.looseObject({ StatusAttributeString: z.string() });

/** An element that was refused although the request was accepted. */
function refusedElements(body: JsonValue): ServiceRefusal | undefined {
  if (typeof body !== "object" || body === null) return undefined;
  const elements = Object.values(body).flatMap((member: JsonValue) => list.safeParse(member).data ?? []);
  const refused = elements.filter((one) => element.safeParse(one).data?.StatusAttributeString === "ERROR");
  if (refused.length === 0) return undefined;
  return { message: refusalMessage("Xero", 400, told(validationErrors(refused))) };
}

function told(reasons: readonly string[]): string {
  return reasons
    .slice(0, maxTold)
    .map((reason) => reason.trim().replace(/\.$/, ""))
    .join("; ");
}

const errors = z.array(z.looseObject({ Message: z.string() }));

/** The messages of `ValidationErrors` at any depth, each once. */
function validationErrors(value: JsonValue): readonly string[] {
  if (typeof value !== "object" || value === null) return [];
  const found = Object.entries(value).flatMap(([name, member]: readonly [string, JsonValue]) => {
    const own = name === "ValidationErrors" ? errors.safeParse(member).data : undefined;
    return own === undefined ? validationErrors(member) : own.map(({ Message }) => Message);
  });
  return [...new Set(found)];
}
