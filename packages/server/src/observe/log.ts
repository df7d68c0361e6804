import { createRedactor, type Log, type LogFields } from "@procedo/engine";
import { pino, stdTimeFunctions, type DestinationStream } from "pino";
import type { LogLevel } from "../settings/settings.ts";

/** The server's log: the engine's, and below it what only somebody who looks into something wants to read. */
export interface ServerLog extends Log {
  debug(message: string, fields?: LogFields): void;
}

export interface LogOptions {
  /** @defaultValue standard output */
  readonly destination?: DestinationStream;
  /** Removed from messages and fields. @defaultValue none */
  readonly secrets?: readonly string[];
}

/**
 * One JSON object per line. Lines are written as they come: what a process had to say before it was killed is there.
 */
export function createLog(level: LogLevel, { destination, secrets = [] }: LogOptions = {}): ServerLog {
  const options = {
    level,
    timestamp: stdTimeFunctions.isoTime,
    // The process and the host are known to whatever collects the lines.
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
