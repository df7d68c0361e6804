import type { ErrorDetail } from "@procedo/contract";
import { ActionError, type OAuthClient, type ServiceAccount } from "@procedo/engine";
import * as z from "zod";
import type { ServiceConnection } from "../../kit/index.ts";
import { xeroTokenRefusal } from "./xero-refusal.ts";

/** Reads the organisation. */
const settingsScope = "accounting.settings.read";
const defaultScopes = ["accounting.transactions", "accounting.contacts", settingsScope];

/** Settings of a connection to Xero. */
export const xeroSettings = z.object({
  clientId: z.string().min(1).max(255).meta({ description: "Client id of the app at Xero." }),
  tenantId: z.guid().optional().meta({
    description:
      "Id of the organisation, where the app may use several. Needed for events, which the app gets of all of them.",
  }),
  scopes: z
    .array(z.string().regex(/^accounting(?:\.[a-z]+)+$/))
    .min(1)
    .max(20)
    .default(defaultScopes)
    .meta({
      description:
        "Scopes to ask for, in addition to `offline_access` and `accounting.settings.read`: others for an app with " +
        "narrower ones, such as `accounting.invoices`.",
    }),
});

/** Secrets of a connection to Xero. */
export const xeroSecrets = z.object({
  clientSecret: z.string().min(6).meta({ description: "Client secret of the app." }),
  webhookKey: z.string().min(6).optional().meta({ description: "Webhooks key of the app, for its events." }),
});

/** Settings of a connection, with their defaults. */
export type XeroSettings = z.output<typeof xeroSettings>;
/** Secrets of a connection, in the clear. */
export type XeroSecrets = z.output<typeof xeroSecrets>;

/** Addresses of Xero. */
export interface XeroAddresses {
  /** Of its interface. @defaultValue "https://api.xero.com" */
  readonly baseUrl?: string;
  /** Of the page on which a person authorizes a connection. @defaultValue "https://login.xero.com" */
  readonly loginUrl?: string;
  /** Of the authorization server. @defaultValue "https://identity.xero.com" */
  readonly identityUrl?: string;
}

const dayMs = 24 * 3_600_000;

/**
 * The OAuth client of a connection.
 *
 * Source: https://developer.xero.com/documentation/guides/oauth2/auth-flow
 */
export function xeroClient(
  { baseUrl, loginUrl, identityUrl }: Required<XeroAddresses>,
  { settings, secrets }: { readonly settings: XeroSettings; readonly secrets: XeroSecrets },
): OAuthClient {
  return {
    grant: "authorization_code",
    authorizationUrl: `${loginUrl}/identity/connect/authorize`,
    tokenUrl: `${identityUrl}/connect/token`,
    revocationUrl: `${identityUrl}/connect/revocation`,
    clientId: settings.clientId,
    clientSecret: secrets.clientSecret,
    clientAuthentication: "header",
    scopes: scopesOf(settings),
    origins: [new URL(baseUrl).origin],
    refreshTokenTtlMs: 60 * dayMs,
    tokenRefusal: xeroTokenRefusal,
  };
}

/** The scopes to ask for. Without those of the settings, an organisation does not tell its environment. */
function scopesOf({ scopes }: XeroSettings): readonly string[] {
  const tells = scopes.some((scope) => scope === "accounting.settings" || scope === settingsScope);
  return ["offline_access", ...scopes, ...(tells ? [] : [settingsScope])];
}

/** An app has one webhook for all its organisations, so that a connection has to say which one is its own. */
export function checkXero({
  settings: { tenantId },
  secrets: { webhookKey },
}: {
  readonly settings: XeroSettings;
  readonly secrets: XeroSecrets;
}): readonly ErrorDetail[] {
  if (webhookKey === undefined || tenantId !== undefined) return [];
  const message =
    "is required with a webhooks key: the webhook has the events of all organisations of the app. The connection's " +
    "account shows the id, once it is authorized";
  return [{ path: "/settings/tenantId", message }];
}

/**
 * The organisation that requests of a connection act on.
 *
 * @throws ActionError `not_sent` when it is not the one that was authorized, or not known
 */
export function tenantOf({ settings: { tenantId }, account }: ServiceConnection<XeroSettings>): string {
  if (account !== undefined && tenantId !== undefined && !isSame(account.id, tenantId)) {
    throw notSent(
      `The connection is authorized for ${shown(account)}, but its setting tenantId is ${tenantId}. Authorize it again.`,
    );
  }
  const id = account?.id ?? tenantId;
  if (id !== undefined) return id;
  throw notSent("The organisation of the connection is not known. Authorize the connection again.");
}

const tenants = z.array(
  z.looseObject({ tenantId: z.string(), tenantType: z.string().nullish(), tenantName: z.string().nullish() }),
);

/**
 * The organisation of a connection among those that the app may use, as `GET /connections` lists them.
 *
 * @throws ActionError when the choice is not clear
 */
export function chosenTenant(
  list: unknown,
  { settings: { tenantId }, account }: ServiceConnection<XeroSettings>,
): ServiceAccount {
  const found = tenants
    .parse(list)
    .filter(({ tenantType }) => tenantType === "ORGANISATION")
    .map(({ tenantId: id, tenantName }) => ({ id, name: tenantName ?? id }));
  const wanted = tenantId ?? account?.id;
  const [first, ...more] = wanted === undefined ? found : found.filter(({ id }) => isSame(id, wanted));
  if (first !== undefined && more.length === 0) return first;
  if (found.length === 0) throw new ActionError("The app may use no organisation of Xero. Authorize it for one.");
  const all = found.slice(0, maxNamed).map(shown).join(", ");
  throw new ActionError(
    first === undefined
      ? `The app may not use the organisation ${wanted ?? ""}. It may use ${all}.`
      : `The app may use several organisations of Xero. Set tenantId to one of their ids: ${all}.`,
  );
}

/** Most of the organisations that a message names. */
const maxNamed = 20;

function shown({ id, name }: ServiceAccount): string {
  return `"${name}" (${id})`;
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

function notSent(message: string): ActionError {
  return new ActionError(message, { outcome: "not_sent", retryable: false });
}
