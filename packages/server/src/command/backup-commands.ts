import { mkdir } from "node:fs/promises";
import { resolve } from "node:path";
import type { Command } from "commander";
import { ProcedoError } from "@procedo/contract";
import { backupDatabase, restoreDatabase } from "@procedo/storage-sqlite";
import { databasePath, masterKeyPath, requireDatabase } from "../data-folder.ts";
import type { Settings } from "../settings/settings.ts";
import type { CommandContext } from "./command-context.ts";
import { jsonOption, operator } from "./options.ts";

/** `procedo backup`, `procedo restore`, `procedo restored` */
export function addBackupCommands(program: Command, context: CommandContext): void {
  program
    .command("backup")
    .description(
      "Copies the database of a running server. The copy does not contain the master key: store the key separately.",
    )
    .argument("<file>", "path of the copy; the file must not exist")
    .addOption(jsonOption())
    .action(async (file: string, { json }: { readonly json?: true }) => {
      const settings = context.settings();
      refuseShared(settings, "pg_dump --format=custom --file=FILE copies it while servers run");
      await requireDatabase(settings);
      const path = resolve(file);
      const { bytes } = await backupDatabase({ from: databasePath(settings), to: path });
      if (json) context.printJson({ path, bytes });
      else context.print(`${path}: ${bytes} bytes.`);
    });

  program
    .command("restore")
    .description("Restores a backup into a data folder without a database. Runs resume from the moment of the backup.")
    .argument("<file>", "the backup")
    .option("--resend-webhooks", "also send the deliveries that were pending then; receivers may already have them")
    .addOption(jsonOption())
    .action(async (file: string, flags: { readonly resendWebhooks?: true; readonly json?: true }) => {
      const settings = context.settings();
      refuseShared(
        settings,
        "pg_restore --dbname=DATABASE FILE restores a copy into an empty database; run procedo restored before a server starts",
      );
      await mkdir(settings.dataDir, { recursive: true, mode: 0o700 });
      const path = databasePath(settings);
      const resendDeliveries = flags.resendWebhooks === true;
      const restored = await restoreDatabase({ from: resolve(file), to: path, resendDeliveries });
      if (flags.json) return context.printJson({ path, ...restored });
      const { bytes, deliveriesEnded, firingsEnded } = restored;
      context.print(`${path}: ${bytes} bytes.`, ...endedAccess(restored));
      if (firingsEnded > 0) context.print(`${firingsEnded} firings of triggers ended as skipped.`);
      if (deliveriesEnded > 0) context.print(`${deliveriesEnded} pending webhook deliveries ended as failed.`);
      const ownKey = settings.masterKey === undefined;
      if (ownKey) context.print(`Before the start, put the master key of the backup at ${masterKeyPath(settings)}.`);
    });

  program
    .command("restored")
    .description(
      "Marks the database as restored by its own tools, so that pending work is not repeated. Run it before a server starts.",
    )
    .option("--resend-webhooks", "also send the deliveries that were pending then; receivers may already have them")
    .addOption(jsonOption())
    .action(async ({ resendWebhooks = false, json }: { readonly resendWebhooks?: boolean; readonly json?: true }) => {
      // A start would also migrate an older copy and execute its pending work.
      const options = { migrates: true };
      await context.withEngine(async (engine) => {
        const settled = await engine.markRestored({ by: operator(), resendWebhooks });
        if (json) return context.printJson(settled);
        if (!resendWebhooks) context.print(`${settled.deliveriesEnded} pending webhook deliveries ended as failed.`);
        const lost = `${settled.callsLost} calls of private functions have an unknown outcome and wait for a person.`;
        const fired = `${settled.firingsEnded} firings of triggers and ${settled.timesSkipped} times of schedules start no runs.`;
        context.print(lost, fired, ...endedAccess(settled));
      }, options);
    });
}

/** What people notice of a restore. */
function endedAccess({ sessionsEnded, invitationsWithdrawn }: EndedAccess): string[] {
  return [
    ...(sessionsEnded > 0 ? [`${sessionsEnded} sessions of people ended.`] : []),
    ...(invitationsWithdrawn > 0
      ? [`${invitationsWithdrawn} open invitations are void. Invite these people again.`]
      : []),
  ];
}

interface EndedAccess {
  readonly sessionsEnded: number;
  readonly invitationsWithdrawn: number;
}

/** Commands that Postgres covers with its own tools. */
function refuseShared({ databaseUrl }: Settings, instead: string): void {
  if (databaseUrl === undefined) return;
  throw new ProcedoError(
    "invalid_configuration",
    `The data lies in Postgres (DATABASE_URL): ${instead}. The copy does not contain the master key: store the key separately.`,
  );
}
