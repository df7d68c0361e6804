import type { Engine, Integration } from "@procedo/engine";
import { openBeside } from "../open-data.ts";
import { createLog } from "../observe/log.ts";
import { createServerEngine } from "../server-engine.ts";
import { readSettings, type Settings } from "../settings/settings.ts";
import type { Variables } from "../settings/values.ts";
import { printable, printableJson } from "./printable.ts";

/** Destination of text: a stream, or a collector in a test. */
export interface TextSink {
  /** Appends the text. */
  write(text: string): unknown;
}

/** The environment of every command. */
export interface CommandContext {
  readonly integrations: readonly Integration[];
  /** The variables from which the settings are read. */
  readonly variables: Variables;
  /** Standard input, read when `-` replaces a file name. */
  readonly stdin: AsyncIterable<Uint8Array>;
  /** @throws ProcedoError `invalid_configuration` */
  settings(): Settings;
  /** Prints text for people. Each text stays on one line and cannot move the cursor. */
  print(...lines: readonly string[]): void;
  /** Prints a list for people: its lines or the text for an empty list, then the cursor of the next page. */
  printTable(empty: string, lines: readonly string[], nextCursor: string | undefined): void;
  /** Prints one JSON value for programs. */
  printJson(value: unknown): void;
  /** Runs `work` with an engine on the service's data. The engine executes no runs, so it can run beside the server. */
  withEngine(work: (engine: Engine) => Promise<void>, options?: { readonly migrates?: boolean }): Promise<void>;
  /** The exit code of the command, unless the command throws. */
  endWith(code: number): void;
  exitCode(): number;
}

export function createCommandContext(given: {
  readonly env: Variables;
  readonly integrations: readonly Integration[];
  readonly stdin: AsyncIterable<Uint8Array>;
  readonly stdout: TextSink;
}): CommandContext {
  const { env, integrations, stdin, stdout } = given;
  let code = 0;
  const settings = (): Settings => readSettings(env);
  const print = (...lines: readonly string[]): void => void stdout.write(`${lines.map(printable).join("\n")}\n`);
  return {
    integrations,
    variables: env,
    stdin,
    settings,
    print,
    printTable: (empty, lines, nextCursor) => {
      print(...(lines.length === 0 ? [empty] : lines));
      if (nextCursor !== undefined) print(`More results: --cursor ${nextCursor}`);
    },
    printJson: (value) => void stdout.write(`${printableJson(JSON.stringify(value, undefined, 2))}\n`),
    withEngine: async (work, options) => {
      const read = settings();
      const data = await openBeside(read, options);
      try {
        // Standard output is reserved for the command's result.
        const log = createLog("silent");
        const engine = createServerEngine({ settings: read, data, integrations, log });
        try {
          await work(engine);
        } finally {
          await engine.stop();
        }
      } finally {
        await data.storage.close();
      }
    },
    endWith: (exitCode) => {
      code = exitCode;
    },
    exitCode: () => code,
  };
}
