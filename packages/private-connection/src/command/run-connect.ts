import { readFile } from "node:fs/promises";
import { ProcedoError } from "@procedo/contract";
import { createPrivateConnection, type PrivateConnection } from "../connection/create-private-connection.ts";
import { createFunctionTable } from "../functions/function-table.ts";
import { printable, printableStack } from "../printable.ts";
import { userAgent } from "../service/user-agent.ts";
import { type Arguments, readArguments, usage } from "./arguments.ts";
import { loadFunctions } from "./load-functions.ts";
import { createStatusLog, functionLines, invocationLine } from "./status-lines.ts";

/** The interface of the process for the command. */
export interface ConnectCommand {
  /** The arguments without the runtime and the script. */
  readonly argv: readonly string[];
  readonly write: (line: string) => void;
  readonly writeError: (line: string) => void;
  /** Calls back on SIGINT and SIGTERM. */
  readonly onSignal: (callback: (signal: string) => void) => void;
  /** Ends the process immediately. */
  readonly exit: (code: number) => void;
}

const done = 0;
const failed = 1;
const notStarted = 2;

/** Runs `procedo-connect`; resolves with the exit code. */
export async function runConnect(command: ConnectCommand): Promise<number> {
  const told = readArguments(command.argv);
  switch (told.kind) {
    case "help":
      command.write(usage.trimEnd());
      return done;
    case "version":
      command.write(userAgent);
      return done;
    case "wrong":
      command.writeError(`${told.message}\n\n${usage.trimEnd()}`);
      return notStarted;
    case "list":
    case "serve":
      return await serve(command, told);
  }
}

async function serve(command: ConnectCommand, told: Extract<Arguments, { kind: "list" | "serve" }>): Promise<number> {
  let connection;
  try {
    const functions = await loadFunctions(told.module);
    createFunctionTable(functions);
    if (told.kind === "serve") {
      const { url, concurrency, caFile, sendStackTraces } = told;
      connection = createPrivateConnection({
        ...{ functions, sendStackTraces, log: createStatusLog(command.write, command.writeError) },
        ...(url !== undefined && { url }),
        ...(concurrency !== undefined && { concurrency }),
        ...(caFile !== undefined && { ca: await readFile(caFile, "utf8") }),
      });
      command.write(`${userAgent} serves in ${connection.environment}:`);
    }
    for (const line of functionLines(functions)) command.write(line);
  } catch (error) {
    command.writeError(`Not started: ${startProblem(error)}`);
    return notStarted;
  }
  return connection === undefined ? done : await run(command, connection, told.drainMs);
}

/** The message of our own errors, which say what to do; the stack of other errors. */
function startProblem(error: unknown): string {
  if (ProcedoError.isError(error)) return printable(error.message);
  return printableStack(error instanceof Error ? (error.stack ?? error.message) : String(error));
}

async function run(command: ConnectCommand, connection: PrivateConnection, drainMs: number): Promise<number> {
  let signals = 0;
  command.onSignal((signal) => {
    if (++signals > 1) {
      command.writeError(`${signal} again: stopped immediately; running calls have no result.`);
      command.exit(failed);
      return;
    }
    command.write(`${signal}: no new calls are accepted; running calls have ${drainMs / 1_000} s.`);
    void connection.close({ drainMs });
  });
  connection.on("invocation", (event) => command.write(invocationLine(event)));
  try {
    await connection.start();
  } catch (error) {
    // The rejected token has already been logged. Any other error is unexpected.
    if (!ProcedoError.isError(error)) throw error;
    return failed;
  }
  const { state } = connection;
  return state.status === "stopped" && state.unfinished.length === 0 ? done : failed;
}
