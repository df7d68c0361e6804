import { Option, type Command } from "commander";
import { ProcedoError, runStatuses, type Environment, type RunStatus } from "@procedo/contract";
import type { RunOutcome } from "@procedo/engine";
import { pageAnswer, runSummary } from "@procedo/http";
import { addressesOf } from "../settings/addresses.ts";
import type { CommandContext } from "./command-context.ts";
import { describeRun } from "./describe-run.ts";
import { exitCodes } from "./exit-codes.ts";
import { environmentOption, jsonOption, operator, pageOptions, personOption, seconds } from "./options.ts";
import type { PageFlags } from "./options.ts";
import { parseObject, readText } from "./read-input.ts";
import { moment, table } from "./table.ts";

/** `procedo run`, `procedo runs …` */
export function addRunsCommands(program: Command, context: CommandContext): void {
  addRun(program, context);
  const runs = program.command("runs").description("Runs and their records.");

  runs
    .command("show")
    .description(
      "Shows a run's record: each step with its exact input and output, and every decision with its reviewer.",
    )
    .argument("<run>", "the run's id")
    .addOption(environmentOption())
    .addOption(jsonOption())
    .action(async (runId: string, { environment, json }: { environment: Environment; json?: true }) => {
      await context.withEngine(async (engine) => {
        const run = await engine.runs.get({ environment, runId });
        if (json) context.printJson(run);
        else context.print(...describeRun(run));
      });
    });

  const list = runs
    .command("list")
    .description("Lists runs, newest first; with --search, by their references.")
    .addOption(environmentOption())
    .addOption(new Option("--status <status>", "only those").choices(runStatuses))
    .option("--procedure <id>", "only runs of this procedure")
    .option("--trigger <id>", "only runs that this trigger started")
    .option("--search <text>", "only the run with this id, and runs whose reference begins with this")
    .addOption(jsonOption());
  for (const option of pageOptions()) list.addOption(option);
  list.action(async ({ json, procedure, trigger, ...query }: ListFlags) => {
    await context.withEngine(async (engine) => {
      const filter = {
        ...(procedure === undefined ? {} : { procedureId: procedure }),
        ...(trigger === undefined ? {} : { triggerId: trigger }),
      };
      const { items, nextCursor } = await engine.runs.list({ ...query, ...filter });
      if (json) {
        const { runnerUrl } = addressesOf(context.settings());
        const shown = items.map((run) => ({ ...run, environment: run.scope.environment }));
        const statusUrl = (runId: string): string => `${runnerUrl}/runs/${runId}`;
        return context.printJson(
          pageAnswer(
            { nextCursor },
            shown.map((run) => runSummary(run, statusUrl)),
          ),
        );
      }
      const rows = items.map(
        ({ runId, reference = "", status, procedureId, procedureVersion, createdAtMs, error = "" }) => {
          return [runId, reference, status, `${procedureId} ${procedureVersion}`, moment(createdAtMs), error];
        },
      );
      const heading = ["ID", "REFERENCE", "STATUS", "PROCEDURE", "CREATED", "ERROR"];
      context.printTable("No runs match.", table(heading, rows, ["REFERENCE"]), nextCursor);
    });
  });
}

interface ListFlags extends PageFlags {
  readonly environment: Environment;
  readonly status?: RunStatus;
  readonly procedure?: string;
  readonly trigger?: string;
  readonly search?: string;
}

interface RunFlags {
  readonly data?: string;
  readonly dataFile?: string;
  readonly environment: Environment;
  readonly version?: string;
  readonly idempotencyKey?: string;
  readonly wait?: true;
  readonly timeout: number;
  readonly person: string;
  readonly json?: true;
}

function addRun(program: Command, context: CommandContext): void {
  program
    .command("run")
    .description("Starts a run. The server on this data executes it.")
    .argument("<procedure>", "the procedure's id")
    .option("--data <json>", "the input; without it {}")
    .option("--data-file <file>", "the input in a JSON file; - for standard input")
    .addOption(environmentOption())
    .option("--version <name>", "a published version; defaults to the default version")
    .option("--idempotency-key <key>", "repeating the key and the input returns the same run, for 30 days")
    .option("--wait", "wait until the run ends or opens a review")
    .addOption(new Option("--timeout <seconds>", "how long to wait").default(60).argParser(seconds))
    .addOption(personOption("the person who starts it"))
    .addOption(jsonOption())
    .action(async (procedureId: string, flags: RunFlags) => {
      const data = await inputOf(flags, context.stdin);
      await context.withEngine(async (engine) => {
        const { environment, version, idempotencyKey, person } = flags;
        const { runId } = await engine.runs.start({
          procedureId,
          environment,
          data,
          by: operator(person),
          ...(version === undefined ? {} : { version }),
          ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
        });
        const timeoutMs = flags.timeout * 1_000;
        const outcome = flags.wait ? await engine.runs.wait({ environment, runId }, { timeoutMs }) : undefined;
        if (outcome !== undefined) context.endWith(exitOf(outcome));
        if (flags.json) context.printJson(outcome === undefined ? { runId, status: "running" } : replyOf(outcome));
        else context.print(...describeOutcome(runId, outcome));
      });
    });
}

async function inputOf({ data, dataFile }: RunFlags, stdin: AsyncIterable<Uint8Array>) {
  if (data !== undefined && dataFile !== undefined) {
    throw new ProcedoError("invalid_input", "Give --data or --data-file, not both.");
  }
  if (dataFile !== undefined) return parseObject(await readText(dataFile, stdin), `"${dataFile}"`);
  return parseObject(data ?? "{}", "--data");
}

function exitOf({ status }: RunOutcome): number {
  if (status === "completed") return exitCodes.done;
  return status === "failed" ? exitCodes.failed : exitCodes.open;
}

/** In the format of the Runner API. */
function replyOf(outcome: RunOutcome): object {
  if (!("completedAtMs" in outcome)) return outcome;
  const { completedAtMs, ...reply } = outcome;
  return { ...reply, completedAt: new Date(completedAtMs).toISOString() };
}

function describeOutcome(runId: string, outcome: RunOutcome | undefined): readonly string[] {
  const show = `procedo runs show ${runId}`;
  switch (outcome?.status) {
    case undefined:
      return [`Run ${runId} is started. See it: ${show}`];
    case "completed":
      return [`Run ${runId} completed: ${JSON.stringify(outcome.output)}`];
    case "failed":
      return [`Run ${runId} failed: ${outcome.error}`];
    case "awaiting_review":
      return [`Run ${runId} waits for a person: procedo reviews list`];
    case "timeout":
      return [`Run ${runId} has not ended yet. It continues while a server runs on this data. Show it: ${show}`];
  }
}
