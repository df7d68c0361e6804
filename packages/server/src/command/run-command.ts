/**
 * The `procedo` command.
 *
 * run-command.ts          arguments, errors, exit codes
 * command-context.ts      shared by all commands: settings, output, the engine beside a running server
 * start-command.ts        start
 * keys-commands.ts        keys create, list, delete
 * people-commands.ts      people invite, list, deactivate; people-links.ts: the links of invitations
 * procedures-commands.ts  procedures validate, publish, list; document-file.ts: documents
 * diff-command.ts         procedures diff; graph-command.ts: procedures graph
 * actions-command.ts      actions; read-api-document.ts: source of the document
 * connections-commands.ts connections create, list, show, test, update, remove; connection-flags.ts: their options
 *                         authorize-command.ts: connections authorize, unauthorize
 * triggers-commands.ts    triggers create, list, show, update, delete, preview; trigger-actions-commands.ts: pause, resume,
 *                         fire, test, rotate, firings, firing, refire; read-trigger-file.ts, find-trigger.ts
 * runs-commands.ts        run; runs show, list
 * reviews-commands.ts     reviews list, show, decide
 * backtest-command.ts     backtest; describe-backtest.ts: its output
 * audit-commands.ts       audit verify, list, export, public-key, checkpoint
 * backup-commands.ts      backup, restore, restored
 * archive-commands.ts     archive; archive-folder.ts: its destination; verify-archive-file.ts: verification
 * describe-run.ts, describe-review.ts, describe-connection.ts, describe-trigger.ts   output for people
 * table.ts, printable.ts  its tables, and its texts on one line
 * options.ts, read-input.ts, exit-codes.ts, closed-pipe.ts   input and exit codes
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
import { addIntegrationsCommands } from "./integrations-commands.ts";
import { addKeysCommands } from "./keys-commands.ts";
import { printable } from "./printable.ts";
import { addPeopleCommands } from "./people-commands.ts";
import { addProceduresCommands } from "./procedures-commands.ts";
import { addReviewsCommands } from "./reviews-commands.ts";
import { addRunsCommands } from "./runs-commands.ts";
import { addStartCommand } from "./start-command.ts";
import { addTriggersCommands } from "./triggers-commands.ts";

/** Arguments, variables and streams of the `procedo` command. */
export interface CommandOptions {
  /** The arguments after the command's name: `process.argv.slice(2)`. */
  readonly argv: readonly string[];
  /** The variables from which the settings are read: `process.env`. */
  readonly env: Variables;
  /** Integrations beside Custom API. They must match those of the server on the same data. @defaultValue none */
  readonly integrations?: readonly Integration[];
  /** Source for `-` in place of a file. @defaultValue standard input */
  readonly stdin?: AsyncIterable<Uint8Array>;
  /** Destination of results. @defaultValue standard output */
  readonly stdout?: TextSink;
  /** Destination of errors. @defaultValue standard error */
  readonly stderr?: TextSink;
}

/**
 * Runs the `procedo` command. A team with its own integrations builds its own command with this function.
 *
 * @returns the exit code, after the command has closed all its resources
 * @example
 * ```ts
 * import { runCommand } from "@procedo/server";
 *
 * process.exitCode = await runCommand({ argv: process.argv.slice(2), env: process.env });
 * ```
 */
export async function runCommand(options: CommandOptions): Promise<number> {
  const { argv, env, integrations = [], stdin = process.stdin } = options;
  const { stdout = process.stdout, stderr = process.stderr } = options;
  // A reader that closes the pipe early, such as `head`, changes neither the command's work nor its exit code.
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
  addPeopleCommands(program, context);
  addProceduresCommands(program, context);
  addActionsCommand(program, context);
  addIntegrationsCommands(program, context);
  addConnectionsCommands(program, context);
  addPrivateConnectionsCommands(program, context);
  addTriggersCommands(program, context);
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
    // Commander has already printed the error or the help text.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
    stderr.write(`${describeError(error)}\n`);
    return exitCodes.failed;
  }
}

function everyCommand(command: Command): readonly Command[] {
  return command.commands.flatMap((child) => [child, ...everyCommand(child)]);
}

/** The code and message, then the details. Only the message of invalid settings has several lines. */
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
