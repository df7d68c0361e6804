import { Option, type Command } from "commander";
import { environments, ProcedoError, type Environment } from "@procedo/contract";
import { verifyExport, type AuditPublicKey, type SignedStatement } from "@procedo/engine";
import { auditEntry, pageAnswer } from "@procedo/http";
import * as z from "zod";
import type { CommandContext } from "./command-context.ts";
import { exitCodes } from "./exit-codes.ts";
import { environmentOption, jsonOption, pageOptions, pointInTime, type PageFlags } from "./options.ts";
import { parseObject, readText } from "./read-input.ts";
import { moment, table } from "./table.ts";
import { isArchiveFile, verifyArchiveFile } from "./verify-archive-file.ts";

const publicKeySchema = z.object({
  kty: z.literal("OKP"),
  crv: z.literal("Ed25519"),
  x: z.string(),
  kid: z.string(),
}) satisfies z.ZodType<AuditPublicKey>;

const signedSchema = z.object({
  statement: z.string(),
  keyId: z.string(),
  signature: z.string(),
}) satisfies z.ZodType<SignedStatement>;

/** `procedo audit …` */
export function addAuditCommands(program: Command, context: CommandContext): void {
  const audit = program
    .command("audit")
    .description("Evidence for auditors: verification, signed exports and checkpoints.");

  audit
    .command("verify")
    .description("Verifies all records, or one export, and reports every change since they were written.")
    .argument(
      "[export]",
      "a run's export or an archive file, verified offline with the public key alone; - reads an export from standard input",
    )
    .option("--public-key <file>", "for an export: the key that audit public-key prints")
    .option("--checkpoint <file>", "for all records: a checkpoint that was stored elsewhere")
    .addOption(jsonOption())
    .action(async (file: string | undefined, flags: VerifyFlags) => {
      if (file === undefined) await verifyEverything(context, flags);
      else await verifyOne(context, file, flags);
    });

  const list = audit
    .command("list")
    .description("Lists the changes of the workspace, newest first.")
    .addOption(new Option("--environment <environment>", "without the changes of the other one").choices(environments))
    .option("--action <action>", "such as procedure.published")
    .option("--person <name>", "the person who made the change")
    .option("--subject <subject>", "the changed resource, as this list names it")
    .addOption(new Option("--from <time>", "earliest time, such as 2026-11-01").argParser(pointInTime))
    .addOption(new Option("--to <time>", "latest time, exclusive").argParser(pointInTime))
    .addOption(jsonOption());
  for (const option of pageOptions()) list.addOption(option);
  list.action(async ({ json, from, to, ...filters }: ListFlags) => {
    await context.withEngine(async (engine) => {
      const query = { ...filters, ...(from !== undefined && { fromMs: from }), ...(to !== undefined && { toMs: to }) };
      const { items, nextCursor } = await engine.audit.list(query);
      if (json) return context.printJson(pageAnswer({ nextCursor }, items.map(auditEntry)));
      const rows = items.map(({ seq, atMs, action, by, subject }) => [String(seq), moment(atMs), action, by, subject]);
      context.printTable("No changes.", table(["SEQ", "TIME", "ACTION", "BY", "SUBJECT"], rows), nextCursor);
    });
  });

  audit
    .command("export")
    .description("Prints a run as a signed record.")
    .argument("<run>", "the run's id")
    .addOption(environmentOption())
    .action(async (runId: string, { environment }: { readonly environment: Environment }) => {
      await context.withEngine(async (engine) => {
        context.printJson(await engine.audit.exportRun({ environment, runId }));
      });
    });

  audit
    .command("public-key")
    .description(
      "Prints the key that verifies exports and checkpoints. Send it to auditors over another channel than the exports.",
    )
    .action(async () => {
      await context.withEngine(async (engine) => context.printJson(engine.audit.publicKey()));
    });

  audit
    .command("checkpoint")
    .description("Prints the last checkpoint. A copy stored elsewhere later proves that no records were removed.")
    .action(async () => {
      await context.withEngine(async (engine) => {
        const checkpoint = await engine.audit.latestCheckpoint();
        if (checkpoint !== undefined) return context.printJson(checkpoint);
        throw new ProcedoError("not_found", "There is no checkpoint yet. A running server writes one every hour.");
      });
    });
}

interface ListFlags extends PageFlags {
  readonly environment?: Environment;
  readonly action?: string;
  readonly person?: string;
  readonly subject?: string;
  readonly from?: number;
  readonly to?: number;
}

interface VerifyFlags {
  readonly publicKey?: string;
  readonly checkpoint?: string;
  readonly json?: true;
}

async function verifyEverything(context: CommandContext, flags: VerifyFlags): Promise<void> {
  if (flags.publicKey !== undefined) {
    throw new ProcedoError("invalid_input", "--public-key applies to an export only. Name the export's file.");
  }
  const kept = flags.checkpoint === undefined ? undefined : await readAs(signedSchema, flags.checkpoint, context.stdin);
  await context.withEngine(async (engine) => {
    const report = await engine.audit.verify(kept === undefined ? {} : { kept });
    const { runs, archived, changes, checkpoints, coveredToMs, problems, moreProblems } = report;
    if (problems.length > 0) context.endWith(exitCodes.failed);
    if (flags.json) return context.printJson(report);
    context.print(`${runs} runs, ${changes} changes and ${checkpoints} checkpoints read.`);
    if (archived > 0) context.print(`${archived} runs are in an archive. Verify its files separately.`);
    if (coveredToMs !== undefined) context.print(`Checkpoints list the runs that ended before ${moment(coveredToMs)}.`);
    for (const { kind, message } of problems) context.print(`${kind}  ${message}`);
    if (moreProblems) context.print("There are more problems.");
    context.print(problems.length === 0 ? "All records are unchanged." : "NOT all records are unchanged.");
  });
}

async function verifyOne(context: CommandContext, file: string, flags: VerifyFlags): Promise<void> {
  if (flags.publicKey === undefined || flags.checkpoint !== undefined) {
    throw new ProcedoError("invalid_input", "An export is verified with --public-key FILE and nothing else.");
  }
  const publicKey = await readAs(publicKeySchema, flags.publicKey, context.stdin);
  if (isArchiveFile(file)) return await verifyArchive(context, file, publicKey, flags);
  const verdict = verifyExport(parseObject(await readText(file, context.stdin), `"${file}"`), publicKey);
  if (!verdict.valid) context.endWith(exitCodes.failed);
  if (flags.json) return context.printJson(verdict);
  if (!verdict.valid) return context.print(`NOT valid (${verdict.at}): ${verdict.message}`);
  const { runId, procedureId, procedureVersion, environment, exportedAt, head } = verdict;
  context.print(
    `Valid: run ${runId} of ${procedureId} ${procedureVersion} in ${environment}, exported at ${exportedAt}.`,
    `Its journal ended at row ${head.seq}, ${head.hash}.`,
  );
}

async function verifyArchive(
  context: CommandContext,
  file: string,
  publicKey: AuditPublicKey,
  flags: VerifyFlags,
): Promise<void> {
  const verdict = await verifyArchiveFile(file, publicKey);
  if (!verdict.valid) context.endWith(exitCodes.failed);
  if (flags.json) return context.printJson(verdict);
  for (const { line, at, message } of verdict.invalid) {
    context.print(`Line ${line} is NOT valid (${at}): ${message}`);
  }
  context.print(`${verdict.valid ? "Valid" : "NOT valid"}: the records of ${verdict.runs} runs are intact.`);
}

async function readAs<T>(schema: z.ZodType<T>, path: string, stdin: AsyncIterable<Uint8Array>): Promise<T> {
  const parsed = schema.safeParse(parseObject(await readText(path, stdin), `"${path}"`));
  if (parsed.success) return parsed.data;
  throw new ProcedoError("invalid_input", `"${path}" is not the output of procedo audit.`);
}
