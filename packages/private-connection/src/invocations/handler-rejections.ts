import { AsyncLocalStorage } from "node:async_hooks";
import process from "node:process";
import type { Log, LogFields } from "../log.ts";
import { thrownStack } from "./thrown-text.ts";

interface RunningHandler {
  readonly log: Log;
  readonly fields: LogFields;
}

const running = new AsyncLocalStorage<RunningHandler>();

/** Runs a handler in a context by which {@link catchHandlerRejections} recognises its unawaited promises. */
export function runGuarded<Result>(handler: RunningHandler, call: () => Promise<Result>): Promise<Result> {
  return running.run(handler, call);
}

/** The connections of a process share one listener, because the event belongs to the process. */
let holders = 0;

/**
 * Logs rejections of promises that a handler started but did not await, so that they do not end the process. Other
 * rejections end it as usual. The returned function undoes this.
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
    handler.log.error("A promise that a function did not await was rejected.", fields);
    return;
  }
  // A listener keeps Node from ending the process. If this is the only listener, rethrowing restores that behaviour.
  if (process.listenerCount("unhandledRejection") === 1) throw reason;
}
