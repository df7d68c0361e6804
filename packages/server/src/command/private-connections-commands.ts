import type { Command } from "commander";
import { privateConnectionIntegration, type Environment } from "@procedo/contract";
import { connectionAnswer, privateConnectionAnswer } from "@procedo/http";
import type { CommandContext } from "./command-context.ts";
import { findConnection } from "./find-connection.ts";
import { environmentOption, jsonOption, operator, personOption } from "./options.ts";
import { moment } from "./table.ts";

/** `procedo private-connections …`. The operations shared by all connections are in `procedo connections`. */
export function addPrivateConnectionsCommands(program: Command, context: CommandContext): void {
  const connections = program
    .command("private-connections")
    .description("Connections to clients in a customer's network, for both environments.");

  connections
    .command("create")
    .description("Creates a connection and shows its two tokens once.")
    .requiredOption("--name <name>", "its name in procedures")
    .addOption(personOption("who connects"))
    .addOption(jsonOption())
    .action(async ({ name, person, json }: CreateFlags) => {
      await context.withEngine(async (engine) => {
        const request = { name, integration: privateConnectionIntegration, by: operator(person) };
        const { tokens, problems, ...created } = await engine.connections.create(request);
        if (json)
          return context.printJson({
            ...connectionAnswer(created, { usedBy: [], inboundUrl: String }),
            tokens,
            problems,
          });
        context.print(
          `Connection "${name}" (${created.connectionId}). Its tokens are not shown again:`,
          ...Object.entries(tokens ?? {}).map(([environment, token]) => `  ${environment}: ${token}`),
        );
      });
    });

  one(
    "token",
    "Creates or replaces the token of one environment and shows it once. The previous token stops working immediately.",
  )
    .addOption(environmentOption().makeOptionMandatory().default(undefined))
    .addOption(personOption("the person who replaces it"))
    .action(async (which: string, { environment, person, json }: OneFlags & { readonly person: string }) => {
      await context.withEngine(async (engine) => {
        const { connectionId, name } = await findConnection(engine, environment, which);
        const place = { environment, connectionId };
        const { token } = await engine.privateConnections.regenerateToken({ ...place, by: operator(person) });
        if (json) return context.printJson({ environment, token });
        context.print(token, `Token of "${name}" in ${environment}. It is not shown again.`);
      });
    });

  one("status", "Shows the connected clients and their functions.")
    .addOption(environmentOption())
    .action(async (which: string, { environment, json }: OneFlags) => {
      await context.withEngine(async (engine) => {
        const { connectionId, name } = await findConnection(engine, environment, which);
        const state = await engine.privateConnections.status({ environment, connectionId });
        if (json) return context.printJson(privateConnectionAnswer(state));
        const { connected, lastPollAtMs, registeredFunctions, clients } = state;
        const polled =
          lastPollAtMs === undefined ? "no client has polled recently" : `last poll ${moment(lastPollAtMs)}`;
        context.print(
          ...[
            `Connection "${name}" is ${connected ? "connected" : "disconnected"} in ${environment}: ${polled}`,
            `  functions: ${registeredFunctions.join(", ") || "none registered; start its client"}`,
            `  clients: ${clients.length}`,
          ],
        );
      });
    });

  function one(name: string, description: string): Command {
    return connections
      .command(name)
      .description(description)
      .argument("<connection>", "its name, or its id")
      .addOption(jsonOption());
  }
}

interface OneFlags {
  readonly environment: Environment;
  readonly json?: true;
}

interface CreateFlags {
  readonly name: string;
  readonly person: string;
  readonly json?: true;
}
