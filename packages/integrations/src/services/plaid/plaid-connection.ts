import type { Environment } from "@procedo/contract";
import * as z from "zod";

const itemSecret = /^item:[a-z0-9][a-z0-9_-]{0,63}$/;
const accessToken = /^access-(sandbox|production)-\S{6,}$/;

/** The name of an item in the arguments of an action. */
export const item = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]{0,63}$/)
  .meta({
    description: "Name of the item: `main` for the one whose access token is the connection's secret `item:main`.",
  });

/**
 * Secrets of a connection to Plaid: the client's, and the access token of each item as `item:<name>`. Procedures only
 * know the names.
 */
export const plaidSecrets = z
  .object({ clientId: z.string().min(6), secret: z.string().min(6) })
  .catchall(
    z.string().meta({
      prefix: "item:",
      description: "The access token of an item. Actions name the item: `main` for the secret `item:main`.",
    }),
  )
  .check(({ value, issues }) => {
    const tokens = Object.entries(value).filter(([name]) => name !== "clientId" && name !== "secret");
    const problem = (name: string, message: string) =>
      issues.push({ code: "custom", input: value, path: [name], message });
    for (const [name, token] of tokens) {
      if (!itemSecret.test(name)) problem(name, "is not known. The access token of an item is named item:<name>.");
      else if (!accessToken.test(token))
        problem(name, "is not an access token: access-sandbox-… or access-production-…");
    }
    const environments = tokens.map(([, token]) => environmentOfToken(token)).filter((one) => one !== undefined);
    if (new Set(environments).size > 1) {
      problem(tokens[0]?.[0] ?? "", "belongs to another environment than the token of another item.");
    }
  });

/** Secrets of a connection, in the clear. */
export type PlaidSecrets = z.output<typeof plaidSecrets>;

/**
 * The environment of the items of a connection; `undefined` without an item, because the client's own credentials do not
 * tell.
 */
export function environmentOfItems(secrets: PlaidSecrets): Environment | undefined {
  return Object.values(secrets)
    .map(environmentOfToken)
    .find((environment) => environment !== undefined);
}

function environmentOfToken(token: string): Environment | undefined {
  const environment = accessToken.exec(token)?.[1];
  if (environment === undefined) return undefined;
  return environment === "production" ? "live" : "sandbox";
}
