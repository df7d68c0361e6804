import { Option, type Command } from "commander";
import { environments, type Environment, type JsonObject } from "@procedo/contract";
import { createEngine } from "@procedo/engine";
import type { Problem } from "@procedo/procedure";
import { pageAnswer, procedureSummary, versionSummary } from "@procedo/http";
import { createMemoryStorage } from "@procedo/storage";
import type { CommandContext } from "./command-context.ts";
import { addDiffCommand, describePublished, formerVersions } from "./diff-command.ts";
import { allProblems, describeProblem, inFile, readDocumentFile, refused } from "./document-file.ts";
import { addGraphCommand } from "./graph-command.ts";
import { exitCodes } from "./exit-codes.ts";
import { jsonOption, namesAmong, operator, pageOptions, personOption, type PageFlags } from "./options.ts";
import { table } from "./table.ts";

/** `procedo procedures …` */
export function addProceduresCommands(program: Command, context: CommandContext): void {
  const procedures = program.command("procedures").description("Procedures and their published versions.");

  procedures
    .command("validate")
    .description("Reports every problem of a document with its line. Without --environment, no data is needed.")
    .argument("<file>", "the JSON document; - for standard input")
    .addOption(
      new Option("--environment <list>", "also check that its connections exist").argParser(namesAmong(environments)),
    )
    .addOption(jsonOption())
    .action(async (file: string, flags: { readonly environment?: readonly Environment[]; readonly json?: true }) => {
      const document = await readDocumentFile(file, context.stdin);
      const found = document.value === undefined ? [] : await problemsOf(context, document.value, flags.environment);
      const problems = allProblems(document, found);
      if (problems.some(({ severity }) => severity === "error")) context.endWith(exitCodes.failed);
      if (flags.json) return context.printJson({ problems });
      context.print(
        ...(problems.length === 0
          ? ["No problems."]
          : problems.flatMap((problem) => describeProblem(document, problem))),
      );
    });

  procedures
    .command("publish")
    .description("Publishes a version. Publishing the same document again under the same name changes nothing.")
    .argument("<file>", "the JSON document; - for standard input")
    .requiredOption("--version <name>", "a short name, immutable once published")
    .addOption(
      new Option("--default <list>", `environments whose default it becomes: ${environments.join(",")}`).argParser(
        namesAmong(environments),
      ),
    )
    .addOption(personOption("who publishes"))
    .addOption(jsonOption())
    .action(async (file: string, flags: PublishFlags) => {
      const given = await readDocumentFile(file, context.stdin);
      const { version, default: defaultIn = [], person } = flags;
      await context.withEngine(async (engine) => {
        if (given.text.problems.length > 0) {
          const { value } = given;
          const checked = { document: value, environments: defaultIn };
          const found = value === undefined ? [] : await engine.procedures.validate(checked);
          throw refused(given, allProblems(given, found));
        }
        const document = given.value as JsonObject;
        const former = await formerVersions(engine, document["procedureId"], defaultIn);
        const published = await inFile(given, () =>
          engine.procedures.publish({ document, version, defaultIn, by: operator(person) }),
        );
        if (flags.json) return context.printJson({ ...versionSummary(published), problems: published.problems });
        const done = published.existing ? "was already published with the same document" : "was published";
        context.print(`Version "${version}" of ${published.procedureId} ${done}.`);
        const changes = await describePublished(engine, published, former);
        if (changes.length > 0) context.print(...changes);
        for (const problem of allProblems(given, published.problems)) context.print(...describeProblem(given, problem));
      });
    });

  addDiffCommand(procedures, context);
  addGraphCommand(procedures, context);

  const list = procedures.command("list").description("Lists procedures with their defaults.").addOption(jsonOption());
  for (const option of pageOptions()) list.addOption(option);
  list.action(async ({ json, ...page }: PageFlags) => {
    await context.withEngine(async (engine) => {
      const { items, nextCursor } = await engine.procedures.list(page);
      if (json) return context.printJson(pageAnswer({ nextCursor }, items.map(procedureSummary)));
      const rows = items.map(({ procedureId, name, draft, defaults }) => {
        const draftState = draft === undefined ? "" : `revision ${draft.revision} by ${draft.by}`;
        return [procedureId, defaults.sandbox ?? "", defaults.live ?? "", draftState, name];
      });
      const empty = "There are no procedures. Publish one: procedo procedures publish";
      context.printTable(empty, table(["ID", "SANDBOX", "LIVE", "DRAFT", "NAME"], rows), nextCursor);
    });
  });
}

interface PublishFlags {
  readonly version: string;
  readonly default?: readonly Environment[];
  readonly person: string;
  readonly json?: true;
}

async function problemsOf(
  context: CommandContext,
  document: unknown,
  checkedIn: readonly Environment[] | undefined,
): Promise<readonly Problem[]> {
  if (checkedIn === undefined) {
    // Nothing is stored, so the key is irrelevant.
    const empty = { storage: createMemoryStorage({ now: Date.now }), masterKey: new Uint8Array(32) };
    const engine = createEngine({ ...empty, integrations: context.integrations });
    try {
      return await engine.procedures.validate({ document });
    } finally {
      await engine.stop();
    }
  }
  let problems: readonly Problem[] = [];
  await context.withEngine(async (engine) => {
    problems = await engine.procedures.validate({ document, environments: checkedIn });
  });
  return problems;
}
