import { createRedactor, type Log, type LogFields } from "@procedo/engine";
import { pino, stdTimeFunctions, type DestinationStream } from "pino";
import type { LogLevel } from "../settings/settings.ts";

/** The server's log: the engine's log with the additional level `debug`. */
export interface ServerLog extends Log {
  /** A detail of one request or run, for the search of a fault. */
  debug(message: string, fields?: LogFields): void;
}

export interface LogOptions {
  /** @defaultValue standard output */
  readonly destination?: DestinationStream;
  /** Replaced in messages and fields. @defaultValue none */
  readonly secrets?: readonly string[];
}

/**
 * Writes one JSON object per line. Lines are written synchronously, so that the last lines survive a killed process.
 */
export function createLog(level: LogLevel, { destination, secrets = [] }: LogOptions = {}): ServerLog {
  const options = {
    level,
    timestamp: stdTimeFunctions.isoTime,
    // The log collector already knows the process and the host.
    base: null,
    formatters: { level: (label: string) => ({ level: label }) },
    messageKey: "message",
  };
  const logger = destination === undefined ? pino(options) : pino(options, destination);
  const redactor = createRedactor(secrets);
  const writing =
    (name: keyof ServerLog) =>
    (message: string, fields: LogFields = {}): void => {
      if (!logger.isLevelEnabled(name)) return;
      const entries = Object.entries(fields);
      const clean = entries.map(([key, value]) => [key, typeof value === "string" ? redactor.text(value) : value]);
      logger[name](Object.fromEntries(clean), redactor.text(message));
    };
  return { debug: writing("debug"), info: writing("info"), warn: writing("warn"), error: writing("error") };
}
