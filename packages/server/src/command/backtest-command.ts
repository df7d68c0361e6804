import { InvalidArgumentError, Option, type Command } from "commander";
import { ProcedoError, runStatuses, type Environment, type JsonObject, type RunStatus } from "@procedo/contract";
import type { BacktestRequest, BacktestRuns, Engine } from "@procedo/engine";
import type { CommandContext } from "./command-context.ts";
import { describeBacktest, untriedProblems } from "./describe-backtest.ts";
import { allProblems, readDocumentFile, refused, type DocumentFile } from "./document-file.ts";
import { exitCodes } from "./exit-codes.ts";
import { environmentOption, jsonOption } from "./options.ts";

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
    .description("Puts past runs through another version, without any effect, and shows what would have changed.")
    .argument("<procedure>", "the procedure's id")
    .option("--version <name>", "the published version to try")
    .option("--document <file>", "instead: a document, as JSON, that need not be published; - for standard input")
    .addOption(environmentOption())
    .addOption(
      new Option("--runs <filter>", "which runs: status=…,from=…,to=…,version=…,limit=… as far as wanted")
        .default({}, "the last 1000 that have ended")
        .argParser(runsFilter),
    )
    .addOption(
      new Option("--models <which>", "recorded: agents reply as they did; fresh: models are asked anew")
        .choices(["recorded", "fresh"])
        .default("recorded"),
    )
    .option("--strict", "a recorded result holds only for the very arguments that it was recorded with")
    .option("--assume-approved", "go on where a review would be asked that nobody was asked, as if it were approved")
    .addOption(new Option("--show <count>", "how many of the runs that change to list").argParser(upTo(mostShown)))
    .option("--allow-changes", "end with exit code 0 also when something changes")
    .option("--allow-none", "end with exit code 0 also when no run was tried")
    .option("--allow-unread", "end with exit code 0 also when the journals of some runs cannot be read")
    .addOption(jsonOption())
    .action(async (procedureId: string, flags: BacktestFlags) => {
      if ((flags.version === undefined) === (flags.document === undefined)) {
        throw new ProcedoError("invalid_input", "Give --version or --document, one of them.");
      }
      const file = flags.document === undefined ? undefined : await readDocumentFile(flags.document, context.stdin);
      const document = file?.value as JsonObject | undefined;
      await context.withEngine(async (engine) => {
        if (file !== undefined) await checkDocument(engine, file);
        const startedMs = performance.now();
        const report = await engine.backtest(requestOf(procedureId, document, flags));
        const seconds = (performance.now() - startedMs) / 1_000;
        // A check that has looked at nothing, or not at all that it was to look at, has found nothing out.
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

/** A document that could not be published is not worth trying; recorded replies need no model, though. */
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
        filter.fromMs = moment(value);
        break;
      case "to":
        filter.toMs = moment(value);
        break;
      case "limit":
        filter.limit = upTo(mostRuns)(value);
        break;
      default:
        throw new InvalidArgumentError(`"${part}" is no filter. Give status=…, from=…, to=…, version=… or limit=….`);
    }
  }
  return filter;
}

function statusNamed(text: string): RunStatus {
  const status = runStatuses.find((one) => one === text);
  if (status !== undefined) return status;
  throw new InvalidArgumentError(`"${text}" is no status. Give one of ${runStatuses.join(", ")}.`);
}

function moment(text: string): number {
  const atMs = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : NaN;
  if (!Number.isNaN(atMs)) return atMs;
  throw new InvalidArgumentError(`"${text}" is no date. Give one as 2026-11-30 or 2026-11-30T08:00:00Z.`);
}

function upTo(most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (Number.isInteger(value) && value >= 1 && value <= most) return value;
    throw new InvalidArgumentError(`Give a whole number from 1 to ${most}.`);
  };
}
