import type { Engine, Integration } from "@procedo/engine";
import { openBeside } from "../open-data.ts";
import { createLog } from "../observe/log.ts";
import { createServerEngine } from "../server-engine.ts";
import { readSettings, type Settings } from "../settings/settings.ts";
import type { Variables } from "../settings/values.ts";
import { printable, printableJson } from "./printable.ts";

/** Where text goes: a stream, or a test's collector. */
export interface TextSink {
  write(text: string): unknown;
}

/** What every command works with. */
export interface CommandContext {
  readonly integrations: readonly Integration[];
  /** The environment that the settings are read from. */
  readonly variables: Variables;
  /** Standard input, for `-` in place of a file. */
  readonly stdin: AsyncIterable<Uint8Array>;
  /** @throws ProcedoError `invalid_configuration` */
  settings(): Settings;
  /** One line, or several, for people. Each text stays one line and moves no cursor. */
  print(...lines: readonly string[]): void;
  /** A list for people: its lines, or what to say of an empty one, and how to go on when there is more. */
  printTable(empty: string, lines: readonly string[], nextCursor: string | undefined): void;
  /** One JSON value for programs. */
  printJson(value: unknown): void;
  /** Gives work the engine of the service's data, which executes no run: it stands beside the server that does. */
  withEngine(work: (engine: Engine) => Promise<void>, options?: { readonly migrates?: boolean }): Promise<void>;
  /** What the command ends with, unless it throws. */
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
      if (nextCursor !== undefined) print(`There are more: --cursor ${nextCursor}`);
    },
    printJson: (value) => void stdout.write(`${printableJson(JSON.stringify(value, undefined, 2))}\n`),
    withEngine: async (work, options) => {
      const read = settings();
      const data = await openBeside(read, options);
      try {
        // Standard output is the command's own.
        const log = createLog("silent");
        const engine = createServerEngine({ settings: read, data, integrations, log });
        await work(engine).finally(() => engine.stop());
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
