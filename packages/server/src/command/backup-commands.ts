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
    .description("Copies the database of a running server. The master key is not in it: keep it elsewhere.")
    .argument("<file>", "the copy, which must not exist yet")
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
    .description("Puts a backup into a data folder without a database. Runs go on from the moment of the backup.")
    .argument("<file>", "the backup")
    .option("--resend-webhooks", "also send what was pending then, which may have been delivered since")
    .addOption(jsonOption())
    .action(async (file: string, flags: { readonly resendWebhooks?: true; readonly json?: true }) => {
      const settings = context.settings();
      refuseShared(
        settings,
        "pg_restore --dbname=DATABASE FILE puts a copy into an empty database; run procedo restored before a server starts",
      );
      await mkdir(settings.dataDir, { recursive: true, mode: 0o700 });
      const path = databasePath(settings);
      const resendDeliveries = flags.resendWebhooks === true;
      const restored = await restoreDatabase({ from: resolve(file), to: path, resendDeliveries });
      const { bytes, deliveriesEnded } = restored;
      if (flags.json) return context.printJson({ path, bytes, deliveriesEnded });
      context.print(`${path}: ${bytes} bytes.`);
      if (deliveriesEnded > 0) context.print(`${deliveriesEnded} pending webhook deliveries ended as failed.`);
      const ownKey = settings.masterKey === undefined;
      if (ownKey) context.print(`Before the start, put the master key of that time at ${masterKeyPath(settings)}.`);
    });

  program
    .command("restored")
    .description(
      "Says that the database was restored with tools of its own, before a server starts: nothing pending is done again.",
    )
    .option("--resend-webhooks", "also send what was pending then, which may have been delivered since")
    .addOption(jsonOption())
    .action(async ({ resendWebhooks = false, json }: { readonly resendWebhooks?: boolean; readonly json?: true }) => {
      // A start would bring an older copy up to date, too, and do what is pending.
      const options = { migrates: true };
      await context.withEngine(async (engine) => {
        const settled = await engine.markRestored({ by: operator(), resendWebhooks });
        if (json) return context.printJson(settled);
        if (!resendWebhooks) context.print(`${settled.deliveriesEnded} pending webhook deliveries ended as failed.`);
        context.print(`${settled.callsLost} calls of private functions are left for people to decide on.`);
      }, options);
    });
}

/** What Postgres has tools of its own for. */
function refuseShared({ databaseUrl }: Settings, instead: string): void {
  if (databaseUrl === undefined) return;
  throw new ProcedoError(
    "invalid_configuration",
    `The data lies in Postgres (DATABASE_URL): ${instead}. The master key is not in it: keep it elsewhere.`,
  );
}
