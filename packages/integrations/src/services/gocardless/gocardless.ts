/*
 * GoCardless: bank debits, payouts and outbound payments.
 *
 *   gocardless.ts            the connection
 *   gocardless-http.ts       requests, and the words of refusals
 *   gocardless-actions.ts    the actions
 *   gocardless-resources.ts  the fields of customers, payments and so on
 *   gocardless-events.ts     the events
 */
import { ActionError, defineIntegration, type CodedIntegration } from "@procedo/engine";
import * as z from "zod";
import { createService } from "../../kit/service.ts";
import { goCardlessActions } from "./gocardless-actions.ts";
import { goCardlessEvents } from "./gocardless-events.ts";
import { goCardlessHttp, type GoCardlessSecrets } from "./gocardless-http.ts";

const secrets = z.object({
  accessToken: z.string().min(6),
  webhookSecret: z.string().min(6).optional().meta({ description: "Secret of the webhook endpoint, for its events." }),
});

const creditors = z.object({ creditors: z.array(z.object({ id: z.string(), name: z.string() })) });

/**
 * GoCardless: collects payments by bank debit, refunds them, reads payouts, and sends money. Amounts are in the smallest
 * unit of their currency.
 *
 * Its interface: https://developer.gocardless.com/api-reference/. Requests are not signed: an account that asks for
 * signed requests refuses them.
 */
export function goCardless({
  baseUrl,
}: {
  /** Address in place of the service's own, for tests. */
  readonly baseUrl?: string;
} = {}): CodedIntegration {
  const service = createService<unknown, GoCardlessSecrets>(goCardlessHttp(baseUrl));
  return defineIntegration({
    name: "gocardless",
    title: "GoCardless",
    category: "payments",
    secrets,
    environmentOf: ({ secrets: { accessToken } }) => {
      if (accessToken.startsWith("live_")) return "live";
      return accessToken.startsWith("sandbox_") ? "sandbox" : undefined;
    },
    // The list begins with the newest creditor. The oldest one stays the same when others are added.
    account: async (context) => {
      const answer = await service.ask(context, "read", { path: "/creditors", query: { limit: 500 } });
      const account = creditors.parse(answer).creditors.at(-1);
      if (account === undefined) throw new ActionError("The account at GoCardless has no creditor yet.");
      return account;
    },
    actions: () => goCardlessActions(service),
    inbound: goCardlessEvents(service),
  });
}
