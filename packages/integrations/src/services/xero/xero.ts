/*
 * Xero: accounting.
 *
 *   xero.ts             the integration
 *   xero-connection.ts  settings, secrets, the OAuth client, and the organisation; xero-environment.ts: its environment
 *   xero-actions.ts     the actions; xero-objects.ts: their fields; xero-dates.ts: dates in answers
 *   xero-refusal.ts     the words of refusals
 *   xero-events.ts      the events
 */
import { defineIntegration, type CodedIntegration } from "@procedo/engine";
import { createService } from "../../kit/index.ts";
import { xeroActions } from "./xero-actions.ts";
import {
  checkXero,
  chosenTenant,
  tenantOf,
  xeroClient,
  xeroSecrets,
  xeroSettings,
  type XeroAddresses,
  type XeroSecrets,
  type XeroSettings,
} from "./xero-connection.ts";
import { checkEnvironment } from "./xero-environment.ts";
import { xeroEvents } from "./xero-events.ts";
import { xeroRefusal } from "./xero-refusal.ts";

/**
 * Xero: contacts, sales invoices and bills, payments, bank transactions and the chart of accounts of an organisation. A
 * person authorizes each connection for one organisation. Xero has no sandbox: connections of the sandbox are authorized
 * for a demo company, with an app of their own, and those of live for any other organisation.
 *
 * Its interface: https://developer.xero.com/documentation/api/accounting/overview
 *
 * @param addresses in place of the service's own, for tests
 */
export function xero({
  baseUrl = "https://api.xero.com",
  loginUrl = "https://login.xero.com",
  identityUrl = "https://identity.xero.com",
}: XeroAddresses = {}): CodedIntegration {
  const common = {
    baseUrl: () => baseUrl,
    // The key of an organisation for transactions with others.
    credentialMembers: ["APIKey"],
    refusal: xeroRefusal,
  };
  const accounting = createService<XeroSettings, XeroSecrets>({
    ...common,
    headers: (connection) => ({ "xero-tenant-id": tenantOf(connection) }),
    idempotency: { header: "Idempotency-Key" },
  });
  const identity = createService<XeroSettings, XeroSecrets>(common);
  return defineIntegration({
    name: "xero",
    title: "Xero",
    category: "accounting",
    settings: xeroSettings,
    secrets: xeroSecrets,
    check: checkXero,
    oauth: (connection) => xeroClient({ baseUrl, loginUrl, identityUrl }, connection),
    account: async (context) => {
      const tenant = chosenTenant(await identity.ask(context, "read", { path: "/connections" }), context);
      const asked = { ...context, account: tenant };
      checkEnvironment(await accounting.ask(asked, "read", { path: "/api.xro/2.0/Organisation" }), tenant, context);
      return tenant;
    },
    // https://developer.xero.com/documentation/guides/oauth2/limits/. The limits of a day and of the app are answered with 429.
    limits: { concurrent: 5, perMinute: 60 },
    actions: () => xeroActions(accounting),
    inbound: xeroEvents,
  });
}
