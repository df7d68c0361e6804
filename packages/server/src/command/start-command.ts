import { InvalidArgumentError, type Command } from "commander";
import { runUntilStopped } from "../run-until-stopped.ts";
import { startServer, type RunningServer } from "../start-server.ts";
import type { CommandContext } from "./command-context.ts";
import { setUpLink } from "./people-links.ts";

/** `procedo start` */
export function addStartCommand(program: Command, context: CommandContext): void {
  program
    .command("start")
    .description(
      "Starts the server. SIGTERM or SIGINT stops it after open requests are answered; a second signal stops it immediately.",
    )
    .option(
      "--drain <seconds>",
      "how long to wait for calls in progress after the signal (PROCEDO_DRAIN_MS, 60)",
      drainMs,
    )
    .action(async ({ drain }: { readonly drain?: number }) => {
      const { integrations } = context;
      const given = context.settings();
      const settings = drain === undefined ? given : { ...given, drainMs: drain };
      await runUntilStopped(async () => {
        const server = await startServer({ settings, integrations });
        if (settings.role !== "execute") await showSetUp(server, context);
        return server;
      });
    });
}

/** Prints the link for the first owner while there is none. It belongs on the console, and not in a log. */
async function showSetUp(server: RunningServer, context: CommandContext): Promise<void> {
  try {
    const token = await server.engine.people.setUpToken();
    if (token !== undefined) context.print(`Set up: ${setUpLink(server, token)}`);
  } catch (error) {
    // The service works without people: API keys do not need them.
    const { message } = error as Error;
    context.print(`The link for the first owner cannot be made: ${message} Restart the server to try again.`);
  }
}

/** Parses seconds into milliseconds. */
function drainMs(text: string): number {
  const seconds = Number(text);
  if (text.trim() !== "" && seconds >= 0 && seconds <= 3_600) return Math.round(seconds * 1_000);
  throw new InvalidArgumentError("Give a number of seconds from 0 to 3600.");
}
