/*
 * Onfido: identity verification.
 *
 *   onfido.ts          the connection
 *   onfido-actions.ts  the actions
 *   onfido-events.ts   the events
 */
import type { ErrorDetail, JsonValue } from "@procedo/contract";
import { defineIntegration, type CodedIntegration } from "@procedo/engine";
import * as z from "zod";
import { refusalMessage } from "../../kit/refusal-message.ts";
import type { ServiceRefusal } from "../../kit/service-http.ts";
import { createService } from "../../kit/service.ts";
import { onfidoActions } from "./onfido-actions.ts";
import { onfidoEvents } from "./onfido-events.ts";

const settings = z.object({
  clientId: z
    .string()
    .min(1)
    .max(255)
    .optional()
    .meta({ description: "Id of an OAuth client, in place of an API token." }),
  region: z.enum(["eu", "us", "ca"]).default("eu").meta({ description: "Region of the account." }),
});
const secrets = z.object({
  apiToken: z.string().min(6).optional().meta({ description: "API token. Left out: an OAuth client is used." }),
  clientSecret: z.string().min(6).optional().meta({ description: "Secret of the OAuth client, with its id." }),
  webhookToken: z.string().min(6).optional().meta({
    description: "Token of a webhook, for its events. The webhook has to be of the connection's environment only.",
  }),
});

/**
 * Onfido: applicants, workflow runs, checks with their reports, and watchlist monitors. Onfido takes no idempotency key,
 * so that a person decides after an unknown outcome.
 *
 * Its interface: https://documentation.onfido.com/api/latest/
 */
export function onfido({
  baseUrl,
}: {
  /** Address in place of the service's own, for tests. */
  readonly baseUrl?: string;
} = {}): CodedIntegration {
  const regionOf = (given: unknown) => settings.parse(given).region;
  const baseUrlOf = (given: unknown) => baseUrl ?? `https://api.${regionOf(given)}.onfido.com/v3.6`;
  const service = createService<z.output<typeof settings>, z.output<typeof secrets>>({
    baseUrl: (connection) => baseUrlOf(connection.settings),
    credentials: ({ secrets: { apiToken } }) =>
      apiToken === undefined ? {} : { authorization: `Token token=${apiToken}` },
    // A device acts for the applicant with it.
    credentialMembers: ["sdk_token"],
    refusal: ({ status, body }) => (status < 400 ? undefined : refusalOf(status, body)),
  });
  return defineIntegration({
    name: "onfido",
    title: "Onfido",
    category: "onboarding",
    settings,
    secrets,
    check: checkOnfido,
    oauth: ({ settings: given, secrets: { apiToken, clientSecret } }) => {
      if (apiToken !== undefined || given.clientId === undefined || clientSecret === undefined) return undefined;
      const [url, clientId] = [baseUrlOf(given), given.clientId];
      const origins = [new URL(url).origin];
      return {
        grant: "client_credentials",
        tokenUrl: `${url}/oauth/token`,
        clientId,
        clientSecret,
        scopes: [],
        origins,
      };
    },
    // `api_live.`, and `api_live_us.` of a token from another region than the EU. An OAuth client does not tell.
    environmentOf: ({ secrets: { apiToken = "" } }) => {
      if (/^api_live[._]/.test(apiToken)) return "live";
      return /^api_sandbox[._]/.test(apiToken) ? "sandbox" : undefined;
    },
    // Onfido names no account: the list of webhooks shows whether it accepts the token.
    account: async (context) => {
      await service.ask(context, "read", { path: "/webhooks" });
      const region = regionOf(context.settings);
      return { id: region, name: `Onfido, ${region.toUpperCase()}` };
    },
    // The published rate of a live account. The sandbox allows less, and answers 429.
    limits: { perMinute: 400 },
    actions: () => onfidoActions(service),
    inbound: onfidoEvents(),
  });
}

/** A connection has an API token, or an OAuth client. */
function checkOnfido(given: {
  readonly settings: z.output<typeof settings>;
  readonly secrets: z.output<typeof secrets>;
}): readonly ErrorDetail[] {
  const { clientId } = given.settings;
  const { apiToken, clientSecret } = given.secrets;
  if (apiToken !== undefined || (clientId !== undefined && clientSecret !== undefined)) return [];
  if (clientId !== undefined) return [{ path: "/secrets/clientSecret", message: "is required with a client id" }];
  if (clientSecret !== undefined) return [{ path: "/settings/clientId", message: "is required with a client secret" }];
  const message = "is required, unless an OAuth client is used: settings.clientId and clientSecret";
  return [{ path: "/secrets/apiToken", message }];
}

const failure = z.object({
  error: z.object({ message: z.string(), fields: z.record(z.string(), z.json()).default({}) }),
});

function refusalOf(status: number, body: JsonValue): ServiceRefusal | undefined {
  const parsed = failure.safeParse(body);
  if (!parsed.success) return undefined;
  const { message, fields } = parsed.data.error;
  const details = Object.entries(fields).map(([name, reason]) => `${name} ${wordsOf(reason)}`);
  const told = details.length === 0 ? message : `${message} (${details.slice(0, 5).join("; ")})`;
  return { message: refusalMessage("Onfido", status, told) };
}

function wordsOf(reason: JsonValue): string {
  const words = Array.isArray(reason) ? reason : [reason];
  return words.map((word) => (typeof word === "string" ? word : JSON.stringify(word))).join(", ");
}
