import type { Command } from "commander";
import { runUntilStopped } from "../run-until-stopped.ts";
import { startServer } from "../start-server.ts";
import type { CommandContext } from "./command-context.ts";

/** `procedo start` */
export function addStartCommand(program: Command, context: CommandContext): void {
  program
    .command("start")
    .description("Starts the server. SIGTERM and SIGINT end it when what is under way is answered; twice: at once.")
    .action(async () => {
      const { integrations } = context;
      const settings = context.settings();
      await runUntilStopped(() => startServer({ settings, integrations }));
    });
}
