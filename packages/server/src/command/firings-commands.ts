import { Option, type Command } from "commander";
import { firingStatuses, type Environment, type Firing } from "@procedo/contract";
import { firingAnswer, pageAnswer } from "@procedo/http";
import type { CommandContext } from "./command-context.ts";
import { describeFiring, firingRow } from "./describe-trigger.ts";
import { findTrigger } from "./find-trigger.ts";
import { environmentOption, jsonOption, operator, pageOptions, personOption, pointInTime } from "./options.ts";
import type { PageFlags } from "./options.ts";
import { table } from "./table.ts";

/** `procedo triggers firings`, `firing` and `refire` */
export function addFiringsCommands(triggers: Command, context: CommandContext): void {
  const firings = one("firings", "Lists a trigger's firings, newest first: each with its run, or why there is none.")
    .addOption(new Option("--status <status>", "only those").choices(firingStatuses))
    .addOption(new Option("--from <time>", "only those since").argParser(pointInTime))
    .addOption(new Option("--to <time>", "only those before").argParser(pointInTime));
  for (const option of pageOptions()) firings.addOption(option);
  firings.action(async (which: string, { json, environment, from, to, ...query }: FiringsFlags) => {
    await context.withEngine(async (engine) => {
      const { triggerId } = await findTrigger(engine, environment, which);
      const period = { ...(from === undefined ? {} : { fromMs: from }), ...(to === undefined ? {} : { toMs: to }) };
      const { items, nextCursor } = await engine.triggers.firings({ environment, triggerId, ...query, ...period });
      if (json) return context.printJson(pageAnswer({ nextCursor }, items.map(firingAnswer)));
      const heading = ["ID", "STATUS", "REASON", "TIME", "EVENT", "RUN"];
      context.printTable("No firings match.", table(heading, items.map(firingRow), ["EVENT"]), nextCursor);
    });
  });

  ofFiring("firing", "Shows a firing with its event and the input of its run.").action(
    async (which: string, firingId: string, { environment, json }: OneFlags) => {
      await context.withEngine(async (engine) => {
        const { triggerId } = await findTrigger(engine, environment, which);
        const firing = await engine.triggers.firing({ environment, triggerId, firingId });
        const { content, input } = firing;
        if (json) context.printJson({ ...firingAnswer(firing), content, input });
        else context.print(...describeFiring(firing));
      });
    },
  );

  ofFiring("refire", "Fires the event of a skipped or failed firing again.")
    .option("--idempotency-key <key>", "repeating the key is the same firing")
    .addOption(personOption("the person for whom the run starts"))
    .action(async (which: string, firingId: string, { environment, idempotencyKey, person, json }: RefireFlags) => {
      await context.withEngine(async (engine) => {
        const { triggerId } = await findTrigger(engine, environment, which);
        const key = idempotencyKey === undefined ? {} : { idempotencyKey };
        const fired = await engine.triggers.refire({ environment, triggerId, firingId, ...key, by: operator(person) });
        if (json) context.printJson(fired);
        else context.print(`Firing ${fired.firingId}. See it: procedo triggers firing ${triggerId} ${fired.firingId}`);
      });
    });

  function one(name: string, description: string): Command {
    return triggers
      .command(name)
      .description(description)
      .argument("<trigger>", "its name, or its id")
      .addOption(environmentOption())
      .addOption(jsonOption());
  }

  function ofFiring(name: string, description: string): Command {
    return one(name, description).argument("<firing>", "the firing's id");
  }
}

interface OneFlags {
  readonly environment: Environment;
  readonly json?: true;
}

interface RefireFlags extends OneFlags {
  readonly idempotencyKey?: string;
  readonly person: string;
}

interface FiringsFlags extends PageFlags, OneFlags {
  readonly status?: Firing["status"];
  readonly from?: number;
  readonly to?: number;
}
