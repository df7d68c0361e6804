import { Option, type Command } from "commander";
import { triggerKinds, type Environment, type TriggerKind } from "@procedo/contract";
import { inboundUrlOf, pageAnswer, timeAnswer, triggerAnswer } from "@procedo/http";
import { addressesOf } from "../settings/addresses.ts";
import type { CommandContext } from "./command-context.ts";
import { describeSource, describeTime, describeTrigger } from "./describe-trigger.ts";
import { findTrigger } from "./find-trigger.ts";
import { addFiringsCommands } from "./firings-commands.ts";
import {
  environmentOption,
  jsonOption,
  operator,
  pageOptions,
  personOption,
  pointInTime,
  type PageFlags,
} from "./options.ts";
import { readNewTrigger, readTriggerChanges } from "./read-trigger-file.ts";
import { moment, table } from "./table.ts";
import { addTriggerActionsCommands } from "./trigger-actions-commands.ts";

/** `procedo triggers …` */
export function addTriggersCommands(program: Command, context: CommandContext): void {
  const triggers = program.command("triggers").description("Schedules, events and webhooks that start runs.");
  const inboundUrl = (address: string): string => inboundUrlOf(addressesOf(context.settings()).appUrl, address);

  triggers
    .command("create")
    .description("Creates a trigger, which is active at once. The secret of a webhook trigger is shown once.")
    .argument("<file>", "the body of POST /api/v1/triggers; - for standard input")
    .addOption(environmentOption().makeOptionMandatory().default(undefined))
    .addOption(personOption("the person for whom its runs start"))
    .addOption(jsonOption())
    .action(async (file: string, { environment, person, json }: WriteFlags) => {
      const { overlap, ...given } = await readNewTrigger(file, context.stdin);
      await context.withEngine(async (engine) => {
        const trigger = { ...given, ...(overlap === undefined ? {} : { overlap }), environment, by: operator(person) };
        const { secret, ...created } = await engine.triggers.create(trigger);
        if (json) return context.printJson({ ...triggerAnswer(created, inboundUrl), secret });
        if (secret !== undefined) context.print(secret, "The secret of its address. It is not shown again.");
        context.print(...describeTrigger(created, inboundUrl));
      });
    });

  const list = triggers
    .command("list")
    .description("Lists the triggers of an environment.")
    .addOption(environmentOption())
    .option("--procedure <id>", "only those that start this procedure")
    .addOption(new Option("--kind <kind>", "only those of this kind of source").choices(triggerKinds))
    .option("--connection <name>", "only those of events of this connection")
    .addOption(new Option("--state <state>", "only those").choices(["active", "paused"]))
    .addOption(jsonOption());
  for (const option of pageOptions()) list.addOption(option);
  list.action(async ({ json, procedure, ...query }: ListFlags) => {
    await context.withEngine(async (engine) => {
      const filter = procedure === undefined ? {} : { procedureId: procedure };
      const { items, nextCursor } = await engine.triggers.list({ ...query, ...filter });
      if (json) {
        const shown = items.map((trigger) => triggerAnswer(trigger, inboundUrl));
        return context.printJson(pageAnswer({ nextCursor }, shown));
      }
      const rows = items.map(({ triggerId, name, procedureId, source, paused, health, next }) => {
        const state = paused === undefined ? "active" : "paused";
        return [triggerId, state, health.status, procedureId, describeSource(source), next[0]?.local ?? "", name];
      });
      const heading = ["ID", "STATE", "HEALTH", "PROCEDURE", "SOURCE", "NEXT", "NAME"];
      context.printTable("No triggers match.", table(heading, rows, ["NEXT"]), nextCursor);
    });
  });

  one("show", "Shows a trigger with its mapping, its health, and the next times of a schedule.").action(
    async (which: string, { environment, json }: OneFlags) => {
      await context.withEngine(async (engine) => {
        const trigger = await findTrigger(engine, environment, which);
        if (json) context.printJson(triggerAnswer(trigger, inboundUrl));
        else context.print(...describeTrigger(trigger, inboundUrl));
      });
    },
  );

  one("update", "Replaces the fields that the file names and keeps the others.")
    .argument("<file>", "the body of PATCH /api/v1/triggers/:triggerId; - for standard input")
    .addOption(personOption("the person for whom its runs start from now on"))
    .action(async (which: string, file: string, { environment, person, json }: WriteFlags) => {
      const changes = await readTriggerChanges(file, context.stdin);
      const named = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
      await context.withEngine(async (engine) => {
        const { triggerId } = await findTrigger(engine, environment, which);
        const changed = await engine.triggers.update({ ...named, environment, triggerId, by: operator(person) });
        if (json) context.printJson(triggerAnswer(changed, inboundUrl));
        else context.print(...describeTrigger(changed, inboundUrl));
      });
    });

  one("delete", "Deletes a trigger. Its open runs continue.")
    .addOption(personOption("the person who deletes it"))
    .action(async (which: string, { environment, person, json }: WriteFlags) => {
      await context.withEngine(async (engine) => {
        const { triggerId, name } = await findTrigger(engine, environment, which);
        await engine.triggers.remove({ environment, triggerId, by: operator(person) });
        if (json) context.printJson({ success: true });
        else context.print(`Trigger "${name}" (${triggerId}) was deleted from ${environment}.`);
      });
    });

  triggers
    .command("preview")
    .description("Shows the next five times of a schedule. Nothing is stored.")
    .argument("<cron>", 'five fields in quotation marks, such as "30 6 * * 1-5"')
    .requiredOption("--time-zone <zone>", "IANA name, such as Europe/Berlin")
    .addOption(new Option("--starts-at <time>", "no time before").argParser(pointInTime))
    .addOption(new Option("--ends-at <time>", "no time at or after").argParser(pointInTime))
    .addOption(jsonOption())
    .action(async (cron: string, { timeZone, startsAt, endsAt, json }: PreviewFlags) => {
      const source = {
        kind: "schedule" as const,
        cron,
        timeZone,
        ...(startsAt === undefined ? {} : { startsAt: moment(startsAt) }),
        ...(endsAt === undefined ? {} : { endsAt: moment(endsAt) }),
      };
      await context.withEngine(async (engine) => {
        const next = await engine.triggers.preview({ source });
        if (json) context.printJson({ next: next.map(timeAnswer) });
        else context.print(...next.map(describeTime));
      });
    });

  addTriggerActionsCommands(triggers, context, inboundUrl);
  addFiringsCommands(triggers, context);

  function one(name: string, description: string): Command {
    return triggers
      .command(name)
      .description(description)
      .argument("<trigger>", "its name, or its id")
      .addOption(environmentOption())
      .addOption(jsonOption());
  }
}

interface OneFlags {
  readonly environment: Environment;
  readonly json?: true;
}

interface WriteFlags extends OneFlags {
  readonly person: string;
}

interface ListFlags extends PageFlags {
  readonly environment: Environment;
  readonly procedure?: string;
  readonly kind?: TriggerKind;
  readonly connection?: string;
  readonly state?: "active" | "paused";
}

interface PreviewFlags {
  readonly timeZone: string;
  readonly startsAt?: number;
  readonly endsAt?: number;
  readonly json?: true;
}
