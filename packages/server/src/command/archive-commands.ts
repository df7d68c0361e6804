import { resolve } from "node:path";
import type { Command } from "commander";
import { archiveFolder } from "./archive-folder.ts";
import type { CommandContext } from "./command-context.ts";
import { exitCodes } from "./exit-codes.ts";
import { jsonOption, milliseconds, operator } from "./options.ts";

interface ArchiveFlags {
  readonly olderThan: number;
  readonly to: string;
  readonly json?: true;
}

/** `procedo archive` */
export function addArchiveCommand(program: Command, context: CommandContext): void {
  program
    .command("archive")
    .description("Moves runs that ended long ago into signed files, beside a running server. Their status stays.")
    .requiredOption("--older-than <duration>", "minimum time since the end of a run, such as P90D", milliseconds)
    .requiredOption("--to <folder>", "folder for the files; keep it for as long as the law requires the records")
    .addOption(jsonOption())
    .action(async ({ olderThan, to, json }: ArchiveFlags) => {
      const folder = resolve(to);
      await context.withEngine(async (engine) => {
        const request = { olderThanMs: olderThan, to: archiveFolder(folder), by: operator() };
        const report = await engine.retention.archive(request);
        if (report.kept.length > 0) context.endWith(exitCodes.failed);
        if (json) return context.printJson({ folder, ...report });
        const { runs, files, removed, kept } = report;
        context.print(`${runs} runs moved into ${files.length} files in ${folder}.`);
        for (const file of files) context.print(file);
        if (removed > 0) context.print(`${removed} expired keys and old test deliveries removed.`);
        for (const { message } of kept) context.print(`NOT archived: ${message}`);
      });
    });
}
