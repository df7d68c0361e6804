import type { Command } from "commander";
import type { Environment } from "@procedo/contract";
import { systemClock, type Connection, type Engine } from "@procedo/engine";
import { authorizationUrls, connectionSummary } from "@procedo/http";
import { addressesOf } from "../settings/addresses.ts";
import type { CommandContext } from "./command-context.ts";
import { describeAuthorization } from "./describe-connection.ts";
import { exitCodes } from "./exit-codes.ts";
import { findConnection } from "./find-connection.ts";
import { operator, personOption } from "./options.ts";

/** How long the person has at the service, after the page was opened. */
const atServiceMs = 600_000;
const pollMs = 1_000;

/** `procedo connections authorize` and `unauthorize` */
export function addAuthorizationCommands(
  one: (name: string, description: string) => Command,
  context: CommandContext,
): void {
  one("authorize", "Prints the page at which a person authorizes a connection by OAuth, and waits for it.")
    .option("--replace", "accept another account than that of the authorization before")
    .addOption(personOption("the person who authorizes it"))
    .action(async (which: string, flags: AuthorizeFlags) => {
      const urls = authorizationUrls(addressesOf(context.settings()).appUrl);
      await context.withEngine(async (engine) => {
        const { environment, replace = false, json } = flags;
        const before = await findConnection(engine, environment, which);
        const { connectionId, name } = before;
        const begun = { environment, connectionId, replace, by: operator(flags.person) };
        const { ticket, expiresAtMs } = await engine.authorizations.begin(begun);
        if (json) context.printJson({ url: urls.start(ticket), expiresAt: new Date(expiresAtMs).toISOString() });
        else context.print("Open this page in a browser within 10 minutes:", urls.start(ticket));
        const connection = await authorized(engine, environment, before, expiresAtMs + atServiceMs);
        if (connection?.oauth === undefined) {
          context.endWith(exitCodes.failed);
          if (!json) context.print(`Connection "${name}" was not authorized in time.`);
        } else if (json) context.printJson(connectionSummary(connection));
        else context.print(`Connection "${name}" is authorized.`, ...describeAuthorization(connection.oauth));
      });
    });

  one(
    "unauthorize",
    "Removes the tokens of a connection, and asks the service to revoke them. Runs that need them wait.",
  )
    .addOption(personOption("the person who removes them"))
    .action(async (which: string, flags: OneFlags & { readonly person: string }) => {
      await context.withEngine(async (engine) => {
        const { environment, person, json } = flags;
        const { connectionId, name } = await findConnection(engine, environment, which);
        await engine.authorizations.revoke({ environment, connectionId, by: operator(person) });
        if (json) context.printJson({ success: true });
        else context.print(`Connection "${name}" is no longer authorized.`);
      });
    });
}

interface OneFlags {
  readonly environment: Environment;
  readonly json?: true;
}

interface AuthorizeFlags extends OneFlags {
  readonly replace?: true;
  readonly person: string;
}

/** Waits for an authorization, which the server on this data finishes. Returns `undefined` when there was none in time. */
async function authorized(
  { connections }: Engine,
  environment: Environment,
  { connectionId, oauth: before }: Connection,
  untilMs: number,
): Promise<Connection | undefined> {
  while (systemClock.now() < untilMs) {
    const connection = await connections.get({ environment, connectionId });
    const { status, connectedAtMs } = connection.oauth ?? {};
    if (status === "connected" && connectedAtMs !== before?.connectedAtMs) return connection;
    await new Promise<void>((resolve) => void systemClock.after(pollMs, resolve));
  }
  return undefined;
}
