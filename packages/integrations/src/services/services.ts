import type { CodedIntegration } from "@procedo/engine";
import { email } from "./email/email.ts";
import { goCardless } from "./gocardless/gocardless.ts";
import { onfido } from "./onfido/onfido.ts";
import { openSanctions } from "./opensanctions/opensanctions.ts";
import { plaid } from "./plaid/plaid.ts";
import { slack } from "./slack/slack.ts";
import { stripe } from "./stripe/stripe.ts";
import { xero } from "./xero/xero.ts";

/** All integrations of this package with services that finance teams use, by name. */
export function services(): readonly CodedIntegration[] {
  return [email(), goCardless(), onfido(), openSanctions(), plaid(), slack(), stripe(), xero()];
}
