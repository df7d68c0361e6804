import { readFile } from "node:fs/promises";
import type { OAuthServer } from "@procedo-testing/oauth-server";
import {
  createTriggerRequestSchema,
  type CreateTriggerRequest,
  type Environment,
  type ProcedureDocument,
} from "@procedo/contract";
import type { Engine } from "@procedo/engine";

const by = { person: "operator", via: "example" };

/** The services' addresses and credentials. Stripe and Slack have their addresses in the integrations themselves. */
export interface ServiceAccess {
  readonly secretKey: string;
  readonly botToken: string;
  readonly bank: {
    readonly url: string;
    /** The addresses of its authorization server, and the client that is registered there. */
    readonly authorization: Pick<OAuthServer, "authorizationUrl" | "tokenUrl" | "issuer" | "client">;
  };
}

/**
 * Creates the three connections that the procedure names, in one environment.
 *
 * @returns the id of the bank's connection, which a person has to authorize
 */
export async function connectServices(
  { connections }: Engine,
  environment: Environment,
  { secretKey, botToken, bank: { url, authorization } }: ServiceAccess,
): Promise<string> {
  const about = { environment, by };
  const spec = { url: `${url}/openapi.json` };
  const { authorizationUrl, tokenUrl, issuer, client } = authorization;
  const oauth = { method: "oauth2", authorizationUrl, tokenUrl, issuer, clientId: client.id, scopes: ["accounting"] };
  const settings = { spec, baseUrl: url, authentication: oauth };
  const secrets = { clientSecret: client.secret };
  await connections.create({ ...about, name: "stripe", integration: "stripe", secrets: { secretKey } });
  await connections.create({ ...about, name: "slack", integration: "slack", secrets: { botToken } });
  const bank = await connections.create({ ...about, name: "bank", integration: "custom_api", settings, secrets });
  return bank.connectionId;
}

/** Publishes the procedure from its file beside the code, and makes it the default of an environment. */
export async function publishReconciliation({ procedures }: Engine, environment: Environment): Promise<void> {
  const document = (await jsonIn("payout-reconciliation.json")) as ProcedureDocument;
  await procedures.publish({ document, version: "1", defaultIn: [environment], by });
}

/**
 * The trigger from its file beside the code.
 *
 * @param startsAt - no earlier time of the schedule fires
 */
export async function dailyReconciliation(startsAt: Date): Promise<CreateTriggerRequest> {
  const trigger = createTriggerRequestSchema.parse(await jsonIn("daily-reconciliation.json"));
  if (trigger.source.kind !== "schedule") throw new Error("daily-reconciliation.json has a source without a schedule.");
  return { ...trigger, source: { ...trigger.source, startsAt: startsAt.toISOString() } };
}

async function jsonIn(file: string): Promise<unknown> {
  return JSON.parse(await readFile(new URL(`../${file}`, import.meta.url), "utf8"));
}
