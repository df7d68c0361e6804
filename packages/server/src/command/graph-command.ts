import { existsSync } from "node:fs";
import type { Command } from "commander";
import { ProcedoError, procedureDocumentSchema, type Environment, type ProcedureDocument } from "@procedo/contract";
import { createEngine, type Engine, type StepRecord } from "@procedo/engine";
import { mermaidChart, type ChartedStep } from "@procedo/procedure";
import { createMemoryStorage } from "@procedo/storage";
import type { CommandContext } from "./command-context.ts";
import { allProblems, readDocumentFile, refused } from "./document-file.ts";
import { environmentOption } from "./options.ts";

interface GraphFlags {
  readonly run?: string;
  readonly version?: string;
  readonly environment: Environment;
}

/** `procedo procedures graph` */
export function addGraphCommand(procedures: Command, context: CommandContext): void {
  procedures
    .command("graph")
    .description("Prints a Mermaid flowchart of a document or of a run's path.")
    .argument("[document]", "a file, - for standard input, or a procedure's id; omitted with --run")
    .option("--run <id>", "marks the path of this run, in the run's version")
    .option("--version <name>", "the version of the procedure; defaults to the default version")
    .addOption(environmentOption())
    .action(async (document: string | undefined, flags: GraphFlags) => {
      if ((document === undefined) === (flags.run === undefined)) {
        throw new ProcedoError("invalid_input", "Give either a document or --run.");
      }
      if (document !== undefined && (document === "-" || existsSync(document))) {
        return print(context, mermaidChart(await documentIn(document, context)));
      }
      await context.withEngine(async (engine) => {
        const chart =
          flags.run === undefined
            ? await chartOf(engine, document ?? "", flags)
            : await pathOf(engine, flags.run, flags);
        print(context, chart);
      });
    });
}

function print(context: CommandContext, chart: string): void {
  context.print(...chart.trimEnd().split("\n"));
}

/** A document with the right structure. It need not be publishable. */
async function documentIn(path: string, context: CommandContext): Promise<ProcedureDocument> {
  const file = await readDocumentFile(path, context.stdin);
  const parsed = procedureDocumentSchema.safeParse(file.value);
  if (file.text.problems.length === 0 && parsed.success) return parsed.data;
  const empty = { storage: createMemoryStorage({ now: Date.now }), masterKey: new Uint8Array(32) };
  const engine = createEngine({ ...empty, integrations: context.integrations });
  const found = file.value === undefined ? [] : await engine.procedures.validate({ document: file.value });
  await engine.stop();
  const ofShape = found.filter(({ severity, code }) => severity === "error" && code === "shape");
  throw refused(file, allProblems(file, ofShape));
}

async function chartOf(engine: Engine, procedureId: string, { version, environment }: GraphFlags): Promise<string> {
  const named = version ?? (await engine.procedures.get({ procedureId })).defaults[environment];
  if (named === undefined) {
    const message = `Procedure "${procedureId}" has no default version in ${environment}. Give --version.`;
    throw new ProcedoError("version_not_found", message);
  }
  return mermaidChart((await engine.procedures.version({ procedureId, version: named })).document);
}

async function pathOf(engine: Engine, runId: string, { environment }: GraphFlags): Promise<string> {
  const { procedureId, procedureVersion, steps, archived } = await engine.runs.get({ environment, runId });
  if (archived) {
    throw new ProcedoError("invalid_input", `The steps of run "${runId}" are archived. Read its export.`);
  }
  const { document } = await engine.procedures.version({ procedureId, version: procedureVersion });
  return mermaidChart(document, steps.map(chartedStep));
}

function chartedStep({ nodeId, status, output, reviews }: StepRecord): ChartedStep {
  const isRejected = reviews.some(({ answer }) => answer?.status === "rejected");
  return { nodeId, status, output, isRejected };
}
