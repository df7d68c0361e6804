import { Option, type Command } from "commander";
import { ProcedoError, procedureDocumentSchema } from "@procedo/contract";
import type { Environment, JsonValue, ProcedureDocument } from "@procedo/contract";
import type { Engine, ProcedureView, VersionSummary } from "@procedo/engine";
import { describeChanges, sentenceOf, type DocumentChange } from "@procedo/procedure";
import type { CommandContext } from "./command-context.ts";
import { jsonOption } from "./options.ts";

interface DiffFlags {
  readonly from?: string;
  readonly to?: string;
  readonly json?: true;
}

/** The value of `--to` for the draft. A version of this name can only be given to `--from`. */
const draftName = "draft";

/** `procedo procedures diff` */
export function addDiffCommand(procedures: Command, context: CommandContext): void {
  procedures
    .command("diff")
    .description("Prints the changes from one version of a procedure to another, or to the draft.")
    .argument("<procedure>", "the procedure's id")
    .addOption(new Option("--from <version>", "the earlier version; defaults to the one published before --to"))
    .addOption(
      new Option(
        "--to <version>",
        `the later version, or "${draftName}"; defaults to the draft, else the newest version`,
      ),
    )
    .addOption(jsonOption())
    .action(async (procedureId: string, flags: DiffFlags) => {
      await context.withEngine(async (engine) => {
        const view = await engine.procedures.get({ procedureId });
        const to = flags.to ?? (view.draft === undefined ? newestOf(view) : draftName);
        const from = flags.from ?? (await versionBefore(engine, procedureId, to));
        const before = await documentOf(engine, procedureId, from);
        const after = to === draftName ? await draftOf(engine, view) : await documentOf(engine, procedureId, to);
        const changes = describeChanges(before, after);
        if (flags.json) {
          const described = changes.map((change) => ({ ...change, sentence: sentenceOf(change) }));
          return context.printJson({ procedureId, from, to, changes: described });
        }
        context.print(...listed(changes, `version "${from}"`, laterName(to)));
      });
    });
}

/** A line for each change, under a heading. */
function listed(changes: readonly DocumentChange[], earlier: string, later: string): readonly string[] {
  if (changes.length === 0) return [`No changes from ${earlier} to ${later}.`];
  return [`Changes from ${earlier} to ${later}:`, ...changes.map((change) => `- ${sentenceOf(change)}`)];
}

function laterName(to: string): string {
  return to === draftName ? "the draft" : `version "${to}"`;
}

/**
 * The versions with which a newly published one is compared: the defaults that the new version replaces, otherwise the
 * newest version. None for a first version.
 */
export async function formerVersions(
  engine: Engine,
  procedureId: JsonValue | undefined,
  defaultIn: readonly Environment[],
): Promise<readonly string[]> {
  if (typeof procedureId !== "string") return [];
  const view = await engine.procedures.get({ procedureId }).catch((error: unknown) => {
    if (ProcedoError.isError(error) && error.code === "procedure_not_found") return undefined;
    throw error;
  });
  if (view === undefined) return [];
  const replaced = new Set(defaultIn.flatMap((environment) => view.defaults[environment] ?? []));
  return replaced.size > 0 ? [...replaced] : view.versions.slice(0, 1).map(({ version }) => version);
}

/** The changes that a published version brought, from each of the former versions. */
export async function describePublished(
  engine: Engine,
  { procedureId, version }: Pick<VersionSummary, "procedureId" | "version">,
  former: readonly string[],
): Promise<readonly string[]> {
  const lines: string[] = [];
  const after = await documentOf(engine, procedureId, version);
  for (const earlier of former.filter((one) => one !== version)) {
    const changes = describeChanges(await documentOf(engine, procedureId, earlier), after);
    lines.push(...listed(changes, `version "${earlier}"`, laterName(version)));
  }
  return lines;
}

function newestOf({ procedureId, versions }: ProcedureView): string {
  const [newest] = versions;
  // A procedure without a version has a draft.
  if (newest === undefined) throw new ProcedoError("version_not_found", `"${procedureId}" has no version.`);
  return newest.version;
}

/** The newest version for the draft; for a version, the one that was published before. */
async function versionBefore(engine: Engine, procedureId: string, to: string): Promise<string> {
  let isFound = to === draftName;
  let cursor: string | undefined;
  do {
    const page = await engine.procedures.versions({ procedureId, limit: 100, ...(cursor !== undefined && { cursor }) });
    for (const { version } of page.items) {
      if (isFound) return version;
      isFound = version === to;
    }
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  const message = isFound
    ? `No version of "${procedureId}" was published before ${laterName(to)}.`
    : `There is no version "${to}" of procedure "${procedureId}".`;
  throw new ProcedoError("version_not_found", message);
}

async function documentOf(engine: Engine, procedureId: string, version: string): Promise<ProcedureDocument> {
  return (await engine.procedures.version({ procedureId, version })).document;
}

async function draftOf(engine: Engine, { procedureId, draft }: ProcedureView): Promise<ProcedureDocument> {
  if (draft === undefined) {
    throw new ProcedoError("procedure_not_found", `There is no draft of procedure "${procedureId}".`);
  }
  const parsed = procedureDocumentSchema.safeParse(draft.document);
  if (parsed.success) return parsed.data;
  const problems = await engine.procedures.validate({ document: draft.document });
  const details = problems.filter(({ code }) => code === "shape").map(({ path, message }) => ({ path, message }));
  const message = `The draft of "${procedureId}" does not have the form of a document.`;
  throw new ProcedoError("invalid_document", message, { details });
}
