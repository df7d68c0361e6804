import { InvalidArgumentError, Option, type Command } from "commander";
import { ProcedoError, runStatuses, type Environment, type JsonObject, type RunStatus } from "@procedo/contract";
import type { BacktestRequest, BacktestRuns, Engine } from "@procedo/engine";
import type { CommandContext } from "./command-context.ts";
import { describeBacktest, untriedProblems } from "./describe-backtest.ts";
import { allProblems, readDocumentFile, refused, type DocumentFile } from "./document-file.ts";
import { exitCodes } from "./exit-codes.ts";
import { environmentOption, jsonOption, pointInTime } from "./options.ts";

interface BacktestFlags {
  readonly version?: string;
  readonly document?: string;
  readonly environment: Environment;
  readonly runs: BacktestRuns;
  readonly models: "recorded" | "fresh";
  readonly strict?: true;
  readonly assumeApproved?: true;
  readonly show?: number;
  readonly allowChanges?: true;
  readonly allowNone?: true;
  readonly allowUnread?: true;
  readonly json?: true;
}

const mostShown = 10_000;
const mostRuns = 100_000;

/** `procedo backtest` */
export function addBacktestCommand(program: Command, context: CommandContext): void {
  program
    .command("backtest")
    .description("Replays past runs with another version, without side effects, and shows the differences.")
    .argument("<procedure>", "the procedure's id")
    .option("--version <name>", "the published version to try")
    .option("--document <file>", "instead of --version: a JSON document, published or not; - for standard input")
    .addOption(environmentOption())
    .addOption(
      new Option("--runs <filter>", "filter of runs: any of status=…,from=…,to=…,version=…,limit=…")
        .default({}, "the last 1000 ended runs")
        .argParser(runsFilter),
    )
    .addOption(
      new Option("--models <which>", "recorded: agents repeat their replies; fresh: models are called again")
        .choices(["recorded", "fresh"])
        .default("recorded"),
    )
    .option("--strict", "use a recorded result only for exactly the same arguments")
    .option("--assume-approved", "treat a review that the recorded run did not have as approved")
    .addOption(new Option("--show <count>", "number of changed runs to list").argParser(upTo(mostShown)))
    .option("--allow-changes", "exit with 0 even when results change")
    .option("--allow-none", "exit with 0 even when no run was replayed")
    .option("--allow-unread", "exit with 0 even when the journals of some runs cannot be read")
    .addOption(jsonOption())
    .action(async (procedureId: string, flags: BacktestFlags) => {
      if ((flags.version === undefined) === (flags.document === undefined)) {
        throw new ProcedoError("invalid_input", "Give either --version or --document.");
      }
      const file = flags.document === undefined ? undefined : await readDocumentFile(flags.document, context.stdin);
      const document = file?.value as JsonObject | undefined;
      await context.withEngine(async (engine) => {
        if (file !== undefined) await checkDocument(engine, file);
        const startedMs = performance.now();
        const report = await engine.backtest(requestOf(procedureId, document, flags));
        const seconds = (performance.now() - startedMs) / 1_000;
        // A backtest that read no run, or could not read every chosen run, proves nothing.
        const untried = untriedProblems(report, flags);
        const hasChanges = report.changed + report.diverged > 0 && flags.allowChanges !== true;
        if (hasChanges || untried.length > 0) context.endWith(exitCodes.failed);
        if (flags.json) context.printJson({ ...report, untried, seconds });
        else context.print(...describeBacktest(report, seconds), ...untried);
      });
    });
}

function requestOf(procedureId: string, document: JsonObject | undefined, flags: BacktestFlags): BacktestRequest {
  const { version, environment, runs, models, strict, assumeApproved, json } = flags;
  return {
    ...{ procedureId, environment, runs, models, keep: flags.show ?? (json ? mostShown : 20) },
    ...(version !== undefined && { version }),
    ...(document !== undefined && { document }),
    ...(strict && { strict }),
    ...(assumeApproved && { assumeApproved }),
  };
}

/** A document that cannot be published is not worth a backtest. Recorded replies need no model, however. */
async function checkDocument(engine: Engine, file: DocumentFile): Promise<void> {
  const found = file.value === undefined ? [] : await engine.procedures.validate({ document: file.value });
  const problems = allProblems(file, found);
  const errors = problems.filter(({ severity, code }) => severity === "error" && code !== "model_missing");
  if (errors.length > 0) throw refused(file, errors);
}

/** Reads `status=failed,from=2026-11-01,limit=500`. */
function runsFilter(text: string): BacktestRuns {
  const filter: { status?: RunStatus; version?: string; fromMs?: number; toMs?: number; limit?: number } = {};
  for (const part of text.split(",")) {
    const [name = "", ...rest] = part.trim().split("=");
    const value = rest.join("=");
    switch (name) {
      case "status":
        filter.status = statusNamed(value);
        break;
      case "version":
        filter.version = value;
        break;
      case "from":
        filter.fromMs = pointInTime(value);
        break;
      case "to":
        filter.toMs = pointInTime(value);
        break;
      case "limit":
        filter.limit = upTo(mostRuns)(value);
        break;
      default:
        throw new InvalidArgumentError(`"${part}" is not a filter. Give status=…, from=…, to=…, version=… or limit=….`);
    }
  }
  return filter;
}

function statusNamed(text: string): RunStatus {
  const status = runStatuses.find((one) => one === text);
  if (status !== undefined) return status;
  throw new InvalidArgumentError(`"${text}" is not a status. Give one of ${runStatuses.join(", ")}.`);
}

function upTo(most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (Number.isInteger(value) && value >= 1 && value <= most) return value;
    throw new InvalidArgumentError(`Give a whole number from 1 to ${most}.`);
  };
}
