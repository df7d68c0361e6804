import type { Command } from "commander";
import type { CommandContext } from "./command-context.ts";
import { jsonOption, operator } from "./options.ts";

/** `procedo deliveries …` */
export function addDeliveriesCommands(program: Command, context: CommandContext): void {
  program
    .command("deliveries")
    .description("What is on its way to webhooks.")
    .command("end-pending")
    .description("Ends what is pending as failed: after a restore, before a server starts.")
    .addOption(jsonOption())
    .action(async ({ json }: { readonly json?: true }) => {
      await context.withEngine(async (engine) => {
        const reason = "It was pending in a backup that was restored, and is not sent again.";
        const deliveriesEnded = await engine.webhooks.endPending({ by: operator(), reason });
        if (json) return context.printJson({ deliveriesEnded });
        context.print(`${deliveriesEnded} pending webhook deliveries ended as failed.`);
      });
    });
}
