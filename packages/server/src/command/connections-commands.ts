import { type Command } from "commander";
import { customApiIntegration, ProcedoError, type Environment } from "@procedo/contract";
import { changesAnswer, connectionAnswer, connectionSummary, inboundUrlOf, pageAnswer } from "@procedo/http";
import { addressesOf } from "../settings/addresses.ts";
import { addAuthorizationCommands } from "./authorize-command.ts";
import type { CommandContext } from "./command-context.ts";
import { addConnectionFlags, secretsOf, settingsOf, type ConnectionFlags } from "./connection-flags.ts";
import { describeChanges, describeConnection, describeDocumentProblems } from "./describe-connection.ts";
import { findConnection } from "./find-connection.ts";
import { exitCodes } from "./exit-codes.ts";
import { environmentOption, jsonOption, operator, pageOptions, personOption, type PageFlags } from "./options.ts";
import { moment, table } from "./table.ts";

/** `procedo connections …` */
export function addConnectionsCommands(program: Command, context: CommandContext): void {
  const connections = program.command("connections").description("Connections to other services, per environment.");
  const inboundUrl = (address: string): string => inboundUrlOf(addressesOf(context.settings()).appUrl, address);

  const create = connections
    .command("create")
    .description("Creates a connection: from an OpenAPI document, or to a service of integrations list.")
    .requiredOption("--name <name>", "its name in procedures")
    .option("--integration <name>", "the integration of the service", customApiIntegration)
    .addOption(environmentOption().makeOptionMandatory().default(undefined));
  addConnectionFlags(create)
    .addOption(personOption("who connects"))
    .addOption(jsonOption())
    .action(async (flags: CreateFlags) => {
      const { name, environment, integration } = flags;
      const { settings, secrets } = await given(context, flags);
      await context.withEngine(async ({ connections }) => {
        const request = { name, integration, environment, settings, secrets };
        const { problems, ...created } = await connections.create({ ...request, by: operator(flags.person) });
        if (flags.json)
          return context.printJson({ ...connectionAnswer(created, { usedBy: [], inboundUrl }), problems });
        context.print(
          ...describeConnection(created, { usedBy: [], inboundUrl }),
          ...describeDocumentProblems(problems),
        );
      });
    });

  const list = connections
    .command("list")
    .description("Lists the connections of an environment.")
    .addOption(environmentOption())
    .addOption(jsonOption());
  for (const option of pageOptions()) list.addOption(option);
  list.action(async ({ json, ...query }: PageFlags & { environment: Environment }) => {
    await context.withEngine(async ({ connections }) => {
      const { items, nextCursor } = await connections.list(query);
      if (json) return context.printJson(pageAnswer({ nextCursor }, items.map(connectionSummary)));
      const rows = items.map(({ connectionId, name, integration, health, createdAtMs }) => {
        return [connectionId, integration, health.status, moment(createdAtMs), name];
      });
      const empty = `There are no connections in ${query.environment}. Create one: procedo connections create`;
      context.printTable(empty, table(["ID", "INTEGRATION", "HEALTH", "CREATED", "NAME"], rows), nextCursor);
    });
  });

  one("show", "Shows a connection without its secrets, and the procedures that use it.").action(
    async (which: string, flags: OneFlags) => {
      await context.withEngine(async (engine) => {
        const connection = await findConnection(engine, flags.environment, which);
        const { connectionId } = connection;
        const usedBy = await engine.connections.usedBy({ environment: flags.environment, connectionId });
        if (flags.json) context.printJson(connectionAnswer(connection, { usedBy, inboundUrl }));
        else context.print(...describeConnection(connection, { usedBy, inboundUrl }));
      });
    },
  );

  one("test", "Makes one harmless request to check the address and the credentials.").action(
    async (which: string, flags: OneFlags) => {
      await context.withEngine(async (engine) => {
        const { environment } = flags;
        const { connectionId, name } = await findConnection(engine, environment, which);
        const answer = await engine.connections.test({ environment, connectionId, by: operator() });
        if (!answer.ok) context.endWith(exitCodes.failed);
        if (flags.json) return context.printJson(answer);
        context.print(
          answer.ok
            ? `Connection "${name}" works${answer.account === undefined ? "" : `: ${answer.account.name} (${answer.account.id})`}.`
            : `Connection "${name}" does not work: ${answer.error}`,
        );
      });
    },
  );

  addAuthorizationCommands(one, context);

  addConnectionFlags(one("update", "Changes the given settings and keeps the others."))
    .option("--name <name>", "the new name in procedures")
    .option("--force", "even when published versions use its current name")
    .addOption(personOption("the person who changes it"))
    .action(async (which: string, flags: UpdateFlags) => {
      const { settings, secrets } = await given(context, flags);
      await context.withEngine(async (engine) => {
        const { environment } = flags;
        const { connectionId } = await findConnection(engine, environment, which);
        const changed = await engine.connections.update({
          environment,
          connectionId,
          ...(flags.name === undefined ? {} : { name: flags.name }),
          ...(Object.keys(settings).length === 0 ? {} : { settings }),
          ...(Object.keys(secrets).length === 0 ? {} : { secrets }),
          force: flags.force === true,
          by: operator(flags.person),
        });
        const usedBy = await engine.connections.usedBy({ environment, connectionId });
        if (flags.json)
          return context.printJson({ ...connectionAnswer(changed, { usedBy, inboundUrl }), ...changesAnswer(changed) });
        const { problems } = changed;
        context.print(
          ...describeConnection(changed, { usedBy, inboundUrl }),
          ...describeChanges(changed),
          ...describeDocumentProblems(problems),
        );
      });
    });

  one("remove", "Removes a connection. Calls through it fail from then on.")
    .option("--force", "even when published versions call it")
    .addOption(personOption("the person who removes it"))
    .action(async (which: string, flags: OneFlags & { readonly force?: true; readonly person: string }) => {
      await context.withEngine(async (engine) => {
        const { environment } = flags;
        const { connectionId, name } = await findConnection(engine, environment, which);
        const force = flags.force === true;
        await engine.connections.remove({ environment, connectionId, force, by: operator(flags.person) });
        if (flags.json) context.printJson({ success: true });
        else context.print(`Connection "${name}" (${connectionId}) was removed from ${environment}.`);
      });
    });

  function one(name: string, description: string): Command {
    return connections
      .command(name)
      .description(description)
      .argument("<connection>", "its name, or its id")
      .addOption(environmentOption())
      .addOption(jsonOption());
  }
}

interface OneFlags {
  readonly environment: Environment;
  readonly json?: true;
}

interface CreateFlags extends ConnectionFlags, OneFlags {
  readonly name: string;
  readonly integration: string;
  readonly person: string;
}

interface UpdateFlags extends ConnectionFlags, OneFlags {
  readonly name?: string;
  readonly force?: true;
  readonly person: string;
}

async function given({ variables, stdin }: CommandContext, flags: ConnectionFlags) {
  const fromInput = [flags.spec, ...Object.values(flags.secret ?? {})].filter((source) => source === "-");
  if (fromInput.length > 1)
    throw new ProcedoError("invalid_input", "Standard input can be used only once. Use files for the other values.");
  return {
    settings: await settingsOf(flags, stdin),
    secrets: await secretsOf(flags, variables, stdin),
  };
}
