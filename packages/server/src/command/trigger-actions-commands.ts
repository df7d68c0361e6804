import { Option, type Command } from "commander";
import { ProcedoError, type Environment, type JsonValue } from "@procedo/contract";
import type { TriggerView } from "@procedo/engine";
import { triggerAnswer } from "@procedo/http";
import { parseExact } from "@procedo/procedure";
import type { CommandContext } from "./command-context.ts";
import { describeTrigger } from "./describe-trigger.ts";
import { exitCodes } from "./exit-codes.ts";
import { findTrigger } from "./find-trigger.ts";
import { environmentOption, jsonOption, operator, personOption, pointInTime } from "./options.ts";
import { parseObject, readText } from "./read-input.ts";
import { moment } from "./table.ts";

/** `procedo triggers pause`, `resume`, `fire`, `test`, `rotate` and `backfill` */
export function addTriggerActionsCommands(
  triggers: Command,
  context: CommandContext,
  inboundUrl: (address: string) => string,
): void {
  one("pause", "Pauses a trigger. Times of a schedule that pass meanwhile do not fire later.")
    .option("--hold", "keep its events until it is resumed; without it they are skipped")
    .option("--reason <text>", "shown with the trigger")
    .addOption(personOption("the person who pauses it"))
    .action(async (which: string, flags: WriteFlags & { readonly hold?: true; readonly reason?: string }) => {
      await context.withEngine(async (engine) => {
        const { environment, hold, reason, person } = flags;
        const { triggerId } = await findTrigger(engine, environment, which);
        const pause = { holdsEvents: hold === true, ...(reason === undefined ? {} : { reason }) };
        show(await engine.triggers.pause({ environment, triggerId, ...pause, by: operator(person) }), flags);
      });
    });

  one("resume", "Resumes a trigger.")
    .addOption(personOption("the person who resumes it"))
    .action(async (which: string, flags: WriteFlags) => {
      await context.withEngine(async (engine) => {
        const { environment, person } = flags;
        const { triggerId } = await findTrigger(engine, environment, which);
        show(await engine.triggers.resume({ environment, triggerId, by: operator(person) }), flags);
      });
    });

  one("fire", "Fires a trigger now, also a paused one. The server on this data starts its run.")
    .option("--event <json>", "the event that its expressions read")
    .option("--event-file <file>", "the event in a JSON file; - for standard input")
    .option("--data <json>", "the run's input, in place of its template")
    .option("--idempotency-key <key>", "repeating the key is the same firing")
    .addOption(personOption("the person for whom the run starts"))
    .action(async (which: string, flags: FireFlags) => {
      const { environment, data, idempotencyKey, person, json } = flags;
      const event = await eventOf(flags, context.stdin);
      const request = {
        ...(event === undefined ? {} : { event }),
        ...(data === undefined ? {} : { data: parseObject(data, "--data") }),
        ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
      };
      await context.withEngine(async (engine) => {
        const { triggerId } = await findTrigger(engine, environment, which);
        const fired = await engine.triggers.fire({ environment, triggerId, ...request, by: operator(person) });
        if (json) context.printJson(fired);
        else context.print(`Firing ${fired.firingId}. See it: procedo triggers firing ${triggerId} ${fired.firingId}`);
      });
    });

  one("test", "Evaluates a trigger's mapping for an event. Nothing is stored, and no run starts.")
    .option("--event <json>", "the event")
    .option("--event-file <file>", "the event in a JSON file; - for standard input")
    .option("--firing <id>", "the event of this firing")
    .action(async (which: string, flags: EventFlags & OneFlags & { readonly firing?: string }) => {
      const { environment, firing, json } = flags;
      const event = await eventOf(flags, context.stdin);
      if ((event === undefined) === (firing === undefined)) {
        throw new ProcedoError("invalid_input", "Give either an event, by --event or --event-file, or --firing.");
      }
      await context.withEngine(async (engine) => {
        const { triggerId, name } = await findTrigger(engine, environment, which);
        const given = firing === undefined ? { event: event ?? null } : { firingId: firing };
        const test = await engine.triggers.test({ environment, triggerId, ...given, by: operator() });
        if (test.problems.length > 0) context.endWith(exitCodes.failed);
        if (json) return context.printJson(test);
        context.print(
          test.problems.length > 0
            ? `Trigger "${name}" would start no run:`
            : test.matches
              ? `Trigger "${name}" would start a run with ${JSON.stringify(test.input)}`
              : `Trigger "${name}" would start no run: its condition is false.`,
          ...test.problems.map(({ path, message }) => `  ${path === "" ? "/" : path} ${message}`),
        );
      });
    });

  one("rotate", "Replaces the secret of a webhook trigger and shows it once. The old one is accepted for 24 hours.")
    .addOption(personOption("the person who replaces it"))
    .action(async (which: string, { environment, person, json }: WriteFlags) => {
      await context.withEngine(async (engine) => {
        const { triggerId, name } = await findTrigger(engine, environment, which);
        const rotated = await engine.triggers.rotate({ environment, triggerId, by: operator(person) });
        const { secret, oldSecretExpiresAtMs } = rotated;
        const expires = moment(oldSecretExpiresAtMs);
        if (json) return context.printJson({ id: triggerId, secret, oldSecretExpiresAt: expires });
        context.print(secret, `Secret of "${name}". It is not shown again. The old one is accepted until ${expires}.`);
      });
    });

  one("backfill", "Fires the times or events of a past period that were not accounted for, at most 100.")
    .addOption(new Option("--from <time>", "since").argParser(pointInTime).makeOptionMandatory())
    .addOption(new Option("--to <time>", "before").argParser(pointInTime).makeOptionMandatory())
    .addOption(personOption("the person who asks for them"))
    .action(async (which: string, { environment, from, to, person, json }: BackfillFlags) => {
      await context.withEngine(async (engine) => {
        const { triggerId, name } = await findTrigger(engine, environment, which);
        const by = operator(person);
        const backfilled = await engine.triggers.backfill({ environment, triggerId, fromMs: from, toMs: to, by });
        if (json) return context.printJson(backfilled);
        const { added, known } = backfilled;
        context.print(`Trigger "${name}" got ${added} firings; ${known} were accounted for before.`);
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

  function show(trigger: TriggerView, { json }: OneFlags): void {
    if (json) context.printJson(triggerAnswer(trigger, inboundUrl));
    else context.print(...describeTrigger(trigger, inboundUrl));
  }
}

/** The event of `--event` or `--event-file`; `undefined` without either. @throws ProcedoError `invalid_input` */
async function eventOf(flags: EventFlags, stdin: AsyncIterable<Uint8Array>): Promise<JsonValue | undefined> {
  const { event, eventFile } = flags;
  if (event !== undefined && eventFile !== undefined) {
    throw new ProcedoError("invalid_input", "Give --event or --event-file, not both.");
  }
  const text = eventFile === undefined ? event : await readText(eventFile, stdin);
  if (text === undefined) return undefined;
  const parsed = parseExact(text);
  if (parsed.ok) return parsed.value;
  throw new ProcedoError("invalid_input", `${eventFile === undefined ? "--event" : `"${eventFile}"`} is not JSON.`);
}

interface OneFlags {
  readonly environment: Environment;
  readonly json?: true;
}

interface WriteFlags extends OneFlags {
  readonly person: string;
}

interface EventFlags {
  readonly event?: string;
  readonly eventFile?: string;
}

interface FireFlags extends WriteFlags, EventFlags {
  readonly data?: string;
  readonly idempotencyKey?: string;
}

interface BackfillFlags extends WriteFlags {
  readonly from: number;
  readonly to: number;
}
