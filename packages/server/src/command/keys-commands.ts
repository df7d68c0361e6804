import { Option, type Command } from "commander";
import { permissions, type Environment, type Permission } from "@procedo/contract";
import { keyAnswer, pageAnswer } from "@procedo/http";
import type { CommandContext } from "./command-context.ts";
import {
  environmentOption,
  jsonOption,
  labels,
  namesAmong,
  operator,
  pageOptions,
  personOption,
  type PageFlags,
} from "./options.ts";
import { moment, table } from "./table.ts";

/** `procedo keys …` */
export function addKeysCommands(program: Command, context: CommandContext): void {
  const keys = program.command("keys").description("Keys of the API.");

  keys
    .command("create")
    .description("Creates a key and shows it once.")
    .requiredOption("--name <label>", "label for people")
    .addOption(environmentOption().makeOptionMandatory().default(undefined))
    .addOption(
      new Option("--permissions <list>", `any of ${permissions.join(",")}; reading needs none`)
        .argParser(namesAmong(permissions))
        .default(["run", "manage"], "run,manage"),
    )
    .addOption(
      new Option("--roles <list>", "additional roles of the key as a reviewer; needs the permission review")
        .argParser(labels)
        .default([], "none"),
    )
    .addOption(personOption("the person that the key acts as: an e-mail address once people have joined"))
    .addOption(jsonOption())
    .action(async (flags: CreateFlags) => {
      const { name, environment, person, permissions: may, roles } = flags;
      await context.withEngine(async (engine) => {
        const request = { name, environment, person, permissions: may, roles, by: operator() };
        const { key, ...shown } = await engine.keys.create(request);
        if (flags.json) return context.printJson({ ...keyAnswer(shown), key });
        context.print(key);
        context.print(`Key "${name}" (${shown.keyId}) of ${shown.person} in ${environment}. It is not shown again.`);
      });
    });

  const list = keys.command("list").description("Lists the keys of both environments.").addOption(jsonOption());
  for (const option of pageOptions()) list.addOption(option);
  list.action(async ({ json, ...page }: PageFlags) => {
    await context.withEngine(async (engine) => {
      const { items, nextCursor } = await engine.keys.list(page);
      if (json) return context.printJson(pageAnswer({ nextCursor }, items.map(keyAnswer)));
      const rows = items.map((key) => {
        const { keyId, name, environment, person, createdAtMs, lastUsedAtMs, lastUsedFrom = "" } = key;
        const used = lastUsedAtMs === undefined ? "never" : `${moment(lastUsedAtMs)} ${lastUsedFrom}`.trimEnd();
        const granted = [key.permissions.join(","), key.roles.join(",")];
        return [keyId, environment, ...granted, person, moment(createdAtMs), used, name];
      });
      const heading = ["ID", "ENVIRONMENT", "PERMISSIONS", "ROLES", "PERSON", "CREATED", "LAST USED", "NAME"];
      context.printTable("There are no keys. Create one: procedo keys create", table(heading, rows), nextCursor);
    });
  });

  keys
    .command("delete")
    .description("Deletes a key permanently. Later requests with it are rejected.")
    .argument("<id>", "the key's id, as keys list shows it")
    .addOption(jsonOption())
    .action(async (keyId: string, { json }: { readonly json?: true }) => {
      await context.withEngine(async (engine) => {
        await engine.keys.remove({ keyId, by: operator() });
        if (json) context.printJson({ success: true });
        else context.print(`Key ${keyId} is deleted.`);
      });
    });
}

interface CreateFlags {
  readonly name: string;
  readonly environment: Environment;
  readonly permissions: readonly Permission[];
  readonly roles: readonly string[];
  readonly person: string;
  readonly json?: true;
}
