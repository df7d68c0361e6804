import { defineIntegration, type CodedIntegration, type ServiceAccount } from "@procedo/engine";
import * as z from "zod";
import { createService } from "../../kit/index.ts";
import { stripeActions } from "./stripe-actions.ts";
import { stripeEvents } from "./stripe-events.ts";
import { stripeVersion } from "./stripe-objects.ts";
import { stripeRefusal } from "./stripe-refusal.ts";

const webhookSecret = z.string().regex(/^whsec_\S{6,}$/);
const secrets = z.object({
  secretKey: z
    .string()
    .regex(/^(?:sk|rk)_(?:test|live)_\S{6,}$/)
    .meta({
      description: "A restricted key, or the secret key. Its test asks for the account (`connected_account_read`).",
    }),
  webhookSecret: webhookSecret.optional().meta({ description: "Of the webhook endpoint that has this address." }),
  previousWebhookSecret: webhookSecret
    .optional()
    .meta({ description: "The secret that `webhookSecret` replaces, as long as Stripe still signs with it." }),
});

/** The parts of an account that name it. */
const account = z.looseObject({
  id: z.string(),
  email: z.string().nullish(),
  business_profile: z.looseObject({ name: z.string().nullish() }).nullish(),
  settings: z.looseObject({ dashboard: z.looseObject({ display_name: z.string().nullish() }).optional() }).nullish(),
});

/**
 * Stripe: payments, refunds, payouts, transfers, invoices, and the movements of the balance. Requests act on the account
 * of the key, not on accounts connected to it.
 *
 * Its interface: https://docs.stripe.com/api
 */
export function stripe({
  baseUrl = "https://api.stripe.com",
}: {
  /** Address of the service, for tests. @defaultValue "https://api.stripe.com" */
  readonly baseUrl?: string;
} = {}): CodedIntegration {
  const service = createService<unknown, z.output<typeof secrets>>({
    baseUrl: () => baseUrl,
    headers: { "Stripe-Version": stripeVersion },
    credentials: ({ secrets: { secretKey } }) => ({ authorization: `Bearer ${secretKey}` }),
    // Its holder can complete the payment.
    credentialMembers: ["client_secret"],
    idempotency: { header: "Idempotency-Key" },
    refusal: stripeRefusal,
  });
  return defineIntegration({
    name: "stripe",
    title: "Stripe",
    category: "payments",
    secrets,
    environmentOf: ({ secrets: { secretKey } }) => (/^.._live_/.test(secretKey) ? "live" : "sandbox"),
    account: async (context): Promise<ServiceAccount> => {
      const {
        id,
        email,
        business_profile: business,
        settings,
      } = account.parse(await service.ask(context, "read", { path: "/v1/account" }));
      return { id, name: settings?.dashboard?.display_name ?? business?.name ?? email ?? id };
    },
    // 25 requests per second, of a sandbox and of each kind of request: https://docs.stripe.com/rate-limits
    limits: { concurrent: 25, perMinute: 1_500 },
    actions: () => stripeActions(service),
    inbound: stripeEvents(service),
  });
}
