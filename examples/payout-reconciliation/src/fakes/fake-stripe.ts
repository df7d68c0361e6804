import { http, HttpResponse, type RequestHandler } from "msw";
import type { SamplePayout } from "./stripe-samples.ts";

/** Stripe, as far as the procedure calls it. */
export interface FakeStripe {
  readonly handlers: readonly RequestHandler[];
  /** Answers the next request with 429 and a `Retry-After` of that many seconds. */
  limitNextRequest(retryAfterSeconds: number): void;
}

/**
 * Handlers of Stripe's lists with the given payouts, which are newest first.
 *
 * Sources: https://docs.stripe.com/api/payouts/list, https://docs.stripe.com/api/pagination, https://docs.stripe.com/api/errors
 */
export function fakeStripe({
  secretKey,
  payouts,
}: {
  readonly secretKey: string;
  readonly payouts: readonly SamplePayout[];
}): FakeStripe {
  let retryAfterSeconds: number | undefined;

  const refusal = (request: Request): Response | undefined => {
    if (request.headers.get("authorization") !== `Bearer ${secretKey}`) {
      return refused(401, { type: "invalid_request_error", message: "Invalid API Key provided." });
    }
    if (retryAfterSeconds === undefined) return undefined;
    const headers = { "Retry-After": String(retryAfterSeconds) };
    retryAfterSeconds = undefined;
    const error = { type: "invalid_request_error", code: "rate_limit", message: "Request rate limit exceeded." };
    return refused(429, error, headers);
  };

  return {
    handlers: [
      http.get("*/v1/payouts", ({ request }) => {
        const query = new URL(request.url).searchParams;
        const [from, to] = [Number(query.get("created[gte]") ?? 0), Number(query.get("created[lt]") ?? Infinity)];
        const status = query.get("status");
        const found = payouts
          .map(({ payout }) => payout)
          .filter(({ created }) => created >= from && created < to)
          .filter((payout) => status === null || payout.status === status);
        return refusal(request) ?? page("/v1/payouts", found, query);
      }),
      http.get("*/v1/balance_transactions", ({ request }) => {
        const query = new URL(request.url).searchParams;
        const sample = payouts.find(({ payout }) => payout.id === query.get("payout"));
        return refusal(request) ?? page("/v1/balance_transactions", sample?.transactions ?? [], query);
      }),
    ],
    limitNextRequest: (seconds) => {
      retryAfterSeconds = seconds;
    },
  };
}

function page(url: string, all: readonly { readonly id: string }[], query: URLSearchParams): Response {
  const limit = Number(query.get("limit") ?? 10);
  const after = query.get("starting_after");
  const start = after === null ? 0 : all.findIndex(({ id }) => id === after) + 1;
  const data = all.slice(start, start + limit);
  return HttpResponse.json({ object: "list", url, has_more: start + limit < all.length, data });
}

function refused(status: number, error: object, headers: Readonly<Record<string, string>> = {}): Response {
  return HttpResponse.json({ error }, { status, headers });
}
