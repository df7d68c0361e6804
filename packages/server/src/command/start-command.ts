import { InvalidArgumentError, type Command } from "commander";
import { runUntilStopped } from "../run-until-stopped.ts";
import { startServer } from "../start-server.ts";
import type { CommandContext } from "./command-context.ts";

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
      await runUntilStopped(() => startServer({ settings, integrations }));
    });
}

/** Parses seconds into milliseconds. */
function drainMs(text: string): number {
  const seconds = Number(text);
  if (text.trim() !== "" && seconds >= 0 && seconds <= 3_600) return Math.round(seconds * 1_000);
  throw new InvalidArgumentError("Give a number of seconds from 0 to 3600.");
}
