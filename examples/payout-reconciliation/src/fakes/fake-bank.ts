import { http, HttpResponse, type RequestHandler } from "msw";
import type { Credit } from "../payout-records.ts";
import { bankOpenApi } from "./bank-openapi.ts";

/** A credit with the day on which the bank booked it. */
export interface BookedCredit extends Credit {
  readonly bookedOn: string;
}

/**
 * Handlers of the bank's statement service, with its OpenAPI document.
 *
 * @param isGood - whether the bank's authorization server has issued this access token, and not ended it
 */
export function fakeBank({
  isGood,
  credits,
}: {
  readonly isGood: (accessToken: string) => Promise<boolean>;
  readonly credits: readonly BookedCredit[];
}): readonly RequestHandler[] {
  return [
    http.get("*/openapi.json", () => HttpResponse.json(bankOpenApi)),
    http.get("*/credits", async ({ request }) => {
      const [scheme, accessToken = ""] = request.headers.get("authorization")?.split(" ") ?? [];
      if (scheme !== "Bearer" || !(await isGood(accessToken))) {
        return HttpResponse.json({ message: "The token is not valid." }, { status: 401 });
      }
      const day = new URL(request.url).searchParams.get("bookedOn");
      const data = credits.filter(({ bookedOn }) => bookedOn === day).map(({ bookedOn: _day, ...credit }) => credit);
      return HttpResponse.json({ data });
    }),
  ];
}
