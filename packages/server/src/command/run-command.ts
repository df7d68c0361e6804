/**
 * The `procedo` command.
 *
 * run-command.ts          arguments, errors, exit codes
 * command-context.ts      what every command works with: settings, output, the engine beside a running server
 * start-command.ts        start
 * keys-commands.ts        keys create, list, delete
 * procedures-commands.ts  procedures validate, publish, list; graph-command.ts: graph; document-file.ts: a document's text, and its problems in it
 * actions-command.ts      actions; read-api-document.ts: where the document is
 * connections-commands.ts connections create, list, show, test, update, remove; connection-flags.ts: what they are given
 * runs-commands.ts        run; runs show, list
 * reviews-commands.ts     reviews list, show, decide
 * backtest-command.ts     backtest; describe-backtest.ts: what it shows
 * audit-commands.ts       audit verify, export, public-key, checkpoint
 * backup-commands.ts      backup, restore, restored
 * archive-commands.ts     archive; archive-folder.ts: where its files go, verify-archive-file.ts: … and are verified
 * describe-run.ts, describe-review.ts, describe-connection.ts, table.ts, printable.ts   what people read
 * options.ts, read-input.ts, exit-codes.ts, closed-pipe.ts   what goes in, and what the command ends with
 */
import { Command, CommanderError } from "commander";
import { ProcedoError } from "@procedo/contract";
import type { Integration } from "@procedo/engine";
import type { Variables } from "../settings/values.ts";
import { addActionsCommand } from "./actions-command.ts";
import { addArchiveCommand } from "./archive-commands.ts";
import { addAuditCommands } from "./audit-commands.ts";
import { addBacktestCommand } from "./backtest-command.ts";
import { addBackupCommands } from "./backup-commands.ts";
import { addConnectionsCommands } from "./connections-commands.ts";
import { addPrivateConnectionsCommands } from "./private-connections-commands.ts";
import { ignoreClosedPipe } from "./closed-pipe.ts";
import { createCommandContext, type TextSink } from "./command-context.ts";
import { exitCodes } from "./exit-codes.ts";
import { addKeysCommands } from "./keys-commands.ts";
import { printable } from "./printable.ts";
import { addProceduresCommands } from "./procedures-commands.ts";
import { addReviewsCommands } from "./reviews-commands.ts";
import { addRunsCommands } from "./runs-commands.ts";
import { addStartCommand } from "./start-command.ts";

/** Arguments, variables and streams of the `procedo` command. */
export interface CommandOptions {
  /** The arguments behind the command's name: `process.argv.slice(2)`. */
  readonly argv: readonly string[];
  /** Where the settings are read from: `process.env`. */
  readonly env: Variables;
  /** What procedures may call beside Custom API: those of the server whose data the command works on. @defaultValue none */
  readonly integrations?: readonly Integration[];
  /** Where `-` in place of a file is read from. @defaultValue standard input */
  readonly stdin?: AsyncIterable<Uint8Array>;
  /** Where results go. @defaultValue standard output */
  readonly stdout?: TextSink;
  /** Where errors go. @defaultValue standard error */
  readonly stderr?: TextSink;
}

/**
 * Runs the `procedo` command. A team with integrations of its own makes its own command of it.
 *
 * @returns the exit code, when everything that the command opened is closed
 * @example
 * ```ts
 * process.exitCode = await runCommand({ argv: process.argv.slice(2), env: process.env, integrations: [ledger] });
 * ```
 */
export async function runCommand(options: CommandOptions): Promise<number> {
  const { argv, env, integrations = [], stdin = process.stdin } = options;
  const { stdout = process.stdout, stderr = process.stderr } = options;
  // A reader that has seen enough, such as `head`, changes nothing of what the command does, nor what it ends with.
  if (stdout === process.stdout) ignoreClosedPipe(process.stdout);
  if (stderr === process.stderr) ignoreClosedPipe(process.stderr);
  const context = createCommandContext({ env, integrations, stdin, stdout });
  const program = new Command("procedo")
    .description("Durable procedures for financial operations. Settings come from the environment.")
    .helpCommand(false)
    .configureOutput({ writeOut: (text) => void stdout.write(text), writeErr: (text) => void stderr.write(text) })
    .exitOverride();
  addStartCommand(program, context);
  addKeysCommands(program, context);
  addProceduresCommands(program, context);
  addActionsCommand(program, context);
  addConnectionsCommands(program, context);
  addPrivateConnectionsCommands(program, context);
  addRunsCommands(program, context);
  addReviewsCommands(program, context);
  addBacktestCommand(program, context);
  addAuditCommands(program, context);
  addBackupCommands(program, context);
  addArchiveCommand(program, context);
  for (const command of everyCommand(program)) {
    command.exitOverride().configureOutput(program.configureOutput()).allowExcessArguments(false);
  }
  try {
    await program.parseAsync(argv, { from: "user" });
    return context.exitCode();
  } catch (error) {
    // Commander has said what is wrong, or shown the help that was asked for.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
    stderr.write(`${describeError(error)}\n`);
    return exitCodes.failed;
  }
}

function everyCommand(command: Command): readonly Command[] {
  return command.commands.flatMap((child) => [child, ...everyCommand(child)]);
}

/** The code, what to do, and every place that has to change; only wrong settings are told in several lines. */
function describeError(error: unknown): string {
  if (!ProcedoError.isError(error))
    return printable(error instanceof Error ? `Error: ${error.message}` : String(error));
  const { code, message, details } = error;
  const told = code === "invalid_configuration" ? message.split("\n") : [message];
  const places = details.filter((detail) => !told.includes(detail.message));
  const [first = "", ...more] = told;
  return [
    `Error (${code}): ${first}`,
    ...more,
    ...places.map((place) => `  ${place.path === "" ? "/" : place.path}: ${place.message}`),
  ]
    .map(printable)
    .join("\n");
}
