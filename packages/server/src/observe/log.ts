import type { Log, LogFields } from "@procedo/engine";
import { pino, stdTimeFunctions, type DestinationStream } from "pino";
import type { LogLevel } from "../settings/settings.ts";

/** The server's log: the engine's, and below it what only somebody who looks into something wants to read. */
export interface ServerLog extends Log {
  debug(message: string, fields?: LogFields): void;
}

/**
 * One JSON object per line. Lines are written as they come: what a process had to say before it was killed is there.
 *
 * @param destination where lines go. Default: standard output
 */
export function createLog(level: LogLevel, destination?: DestinationStream): ServerLog {
  const options = {
    level,
    timestamp: stdTimeFunctions.isoTime,
    // The process and the host are known to whatever collects the lines.
    base: null,
    formatters: { level: (label: string) => ({ level: label }) },
    messageKey: "message",
  };
  const logger = destination === undefined ? pino(options) : pino(options, destination);
  return {
    debug: (message, fields) => logger.debug(fields ?? {}, message),
    info: (message, fields) => logger.info(fields ?? {}, message),
    warn: (message, fields) => logger.warn(fields ?? {}, message),
    error: (message, fields) => logger.error(fields ?? {}, message),
  };
}
