import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import process from "node:process";
import { packageFlags } from "../package-flags.ts";
import type {
  TriggerMessage,
  TriggerRequest,
  TriggerRequestName,
  TriggerRequests,
  TriggerSetup,
} from "./trigger-protocol.ts";
import type { HookAddress } from "./triggered-procedures.ts";

/** The parent's handle of a process with triggers. */
export interface TriggerNode {
  /** The address of its webhook trigger when the engine works; `undefined` when the process has ended before. */
  readonly ready: Promise<HookAddress | undefined>;
  readonly exited: Promise<void>;
  /** The end of the process, in words; `undefined` while it lives. */
  readonly end: string | undefined;
  /** The last warnings and errors of its engine, and the end of its standard error. */
  readonly lastWords: string;
  /** Sends a request; `lost` if the process died before its answer, so that the effect is unknown. */
  ask<Name extends TriggerRequestName>(
    name: Name,
    request: TriggerRequests[Name]["request"],
  ): Promise<TriggerReply<Name>>;
  /** Sends SIGKILL and waits for the end. */
  kill(): Promise<void>;
}

export type TriggerReply<Name extends TriggerRequestName> =
  | { readonly status: "answered"; readonly value: TriggerRequests[Name]["answer"] }
  | { readonly status: "refused"; readonly code: string; readonly message: string }
  | { readonly status: "lost" };

const main = join(import.meta.dirname, "trigger-process.ts");
const keptLines = 6;

/** `preload` is loaded before the product, so that it can change it. */
export function startTriggerNode(setup: TriggerSetup, preload: readonly string[] = []): TriggerNode {
  const child = fork(main, [JSON.stringify(setup)], {
    execPath: process.execPath,
    execArgv: packageFlags({ preload }),
    // A compile cache, because many processes load the same code.
    env: { ...process.env, NODE_COMPILE_CACHE: join(import.meta.dirname, "../node_modules/.cache/triggers") },
    stdio: ["ignore", "inherit", "pipe", "ipc"],
  });
  const asked = new Map<number, (reply: TriggerReply<TriggerRequestName>) => void>();
  const ready = Promise.withResolvers<HookAddress | undefined>();
  const log: string[] = [];
  let said = "";
  let end: string | undefined;
  let lastId = 0;

  const settle = (id: number, reply: TriggerReply<TriggerRequestName>): void => {
    asked.get(id)?.(reply);
    asked.delete(id);
  };
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (said = (said + text).slice(-1_000)));
  child.on("message", (message: TriggerMessage) => {
    switch (message.type) {
      case "ready":
        ready.resolve(message.hook);
        break;
      case "logged":
        log.push(`${message.level}: ${message.message}`);
        log.splice(0, log.length - keptLines);
        break;
      case "answer":
        settle(message.id, { status: "answered", value: message.value as never });
        break;
      case "refusal":
        settle(message.id, { status: "refused", code: message.code, message: message.message });
        break;
    }
  });
  // Messages that it sent before its death still arrive, and count.
  const exited = once(child, "close").then(([code, signal]) => {
    end = signal === null ? `exit code ${String(code)}` : String(signal);
    for (const id of [...asked.keys()]) settle(id, { status: "lost" });
    ready.resolve(undefined);
  });

  return {
    ready: ready.promise,
    exited,
    get end() {
      return end;
    },
    get lastWords() {
      return [...log, said].join(" ").trim();
    },
    ask: (name, request) =>
      new Promise((resolve) => {
        if (end !== undefined || !child.connected) {
          resolve({ status: "lost" });
          return;
        }
        const id = ++lastId;
        // The name determines the type of the answer.
        asked.set(id, resolve);
        const message: TriggerRequest = { id, name, request };
        child.send(message, (error) => {
          if (error !== null) settle(id, { status: "lost" });
        });
      }),
    kill: async () => {
      child.kill("SIGKILL");
      await exited;
    },
  };
}
