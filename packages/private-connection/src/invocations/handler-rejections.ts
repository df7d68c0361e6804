import { AsyncLocalStorage } from "node:async_hooks";
import process from "node:process";
import type { Log, LogFields } from "../log.ts";
import { thrownStack } from "./thrown-text.ts";

interface RunningHandler {
  readonly log: Log;
  readonly fields: LogFields;
}

const running = new AsyncLocalStorage<RunningHandler>();

/** Runs a handler so that {@link catchHandlerRejections} knows the promises that it forgets. */
export function runGuarded<Result>(handler: RunningHandler, call: () => Promise<Result>): Promise<Result> {
  return running.run(handler, call);
}

/** The process has one such event, so its connections share one listener. */
let holders = 0;

/**
 * Keeps a promise that a handler started, forgot and saw rejected from ending the process: it is logged. Rejections
 * of the rest of the program end it as they would without this. The returned function undoes it.
 */
export function catchHandlerRejections(): () => void {
  if (holders++ === 0) process.on("unhandledRejection", onRejection);
  let held = true;
  return () => {
    if (held && --holders === 0) process.off("unhandledRejection", onRejection);
    held = false;
  };
}

function onRejection(reason: unknown): void {
  const handler = running.getStore();
  if (handler !== undefined) {
    const fields = { ...handler.fields, error: thrownStack(reason) };
    handler.log.error("A promise that a function did not wait for was rejected.", fields);
    return;
  }
  // Node ends a process only without a listener. Where this is the only one, the process ends as it would have without it.
  if (process.listenerCount("unhandledRejection") === 1) throw reason;
}
