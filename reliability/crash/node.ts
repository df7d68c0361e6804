import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import process from "node:process";
import { packageFlags } from "../package-flags.ts";
import type { NodeMessage, NodeRequest, NodeRequests, NodeSetup, RequestName } from "./protocol.ts";

/** The parent's handle of a node process. */
export interface CrashNode {
  /** Resolves when its code is loaded and the database is about to be opened; rejects if the process ends before. */
  readonly loaded: Promise<void>;
  /** Resolves when the engine works, or when the process has ended. */
  readonly ready: Promise<"ready" | "ended">;
  /** Milliseconds from the start of the process to the first durable row; `undefined` if it died before. */
  readonly progressMs: Promise<number | undefined>;
  readonly exited: Promise<void>;
  readonly alive: boolean;
  /** The end of the process, in words; `undefined` while it lives. */
  readonly end: string | undefined;
  /** Sends a request; `lost` if the node died before its answer, so that the effect is unknown. */
  ask<Name extends RequestName>(name: Name, request: NodeRequests[Name]["request"]): Promise<Reply<Name>>;
  /** Sends SIGKILL and waits for the end. */
  kill(): Promise<void>;
}

/** A node process that can also be paused and drained. */
export interface NodeProcess extends CrashNode {
  /** Suspends the process until `resume`; its connections stay open. */
  pause(): void;
  resume(): void;
  /** Makes it stop its engine, which waits up to `drainMs` for calls under way, and end. Waits for the end. */
  drain(drainMs: number): Promise<void>;
}

export type Reply<Name extends RequestName> =
  | { readonly status: "answered"; readonly value: NodeRequests[Name]["answer"] }
  | { readonly status: "refused"; readonly code: string; readonly message: string }
  | { readonly status: "lost" };

const main = join(import.meta.dirname, "node-process.ts");

export function startNode(setup: NodeSetup): NodeProcess {
  const startedAt = performance.now();
  const child = fork(main, [JSON.stringify(setup)], {
    execPath: process.execPath,
    execArgv: packageFlags(),
    // A compile cache, because hundreds of processes load the same code.
    env: {
      ...process.env,
      PROOF_CLOCK_AHEAD_MS: String(setup.clockAheadMs ?? 0),
      NODE_COMPILE_CACHE: join(import.meta.dirname, "../node_modules/.cache/crash"),
    },
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const asked = new Map<number, (reply: Reply<RequestName>) => void>();
  const loaded = Promise.withResolvers<void>();
  const ready = Promise.withResolvers<"ready" | "ended">();
  const progress = Promise.withResolvers<number | undefined>();
  let end: string | undefined;
  let lastId = 0;

  const settle = (id: number, reply: Reply<RequestName>): void => {
    asked.get(id)?.(reply);
    asked.delete(id);
  };
  child.on("message", (message: NodeMessage) => {
    switch (message.type) {
      case "loaded":
        loaded.resolve();
        break;
      case "ready":
        ready.resolve("ready");
        break;
      case "progress":
        progress.resolve(performance.now() - startedAt);
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
    loaded.resolve();
    ready.resolve("ended");
    progress.resolve(undefined);
  });

  const ask = <Name extends RequestName>(name: Name, request: NodeRequests[Name]["request"]): Promise<Reply<Name>> =>
    new Promise((resolve) => {
      if (end !== undefined || !child.connected) {
        resolve({ status: "lost" });
        return;
      }
      const id = ++lastId;
      asked.set(id, resolve);
      const message: NodeRequest = { id, name, request };
      child.send(message, (error) => {
        if (error !== null) settle(id, { status: "lost" });
      });
    });

  return {
    loaded: loaded.promise,
    ready: ready.promise,
    progressMs: progress.promise,
    exited,
    get alive() {
      return end === undefined;
    },
    get end() {
      return end;
    },
    ask,
    pause: () => void child.kill("SIGSTOP"),
    resume: () => void child.kill("SIGCONT"),
    drain: async (drainMs) => {
      await ask("drain", { drainMs });
      await exited;
    },
    kill: async () => {
      child.kill("SIGKILL");
      await exited;
    },
  };
}
