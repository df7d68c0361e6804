import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import process from "node:process";
import { packageFlags } from "../package-flags.ts";
import type {
  LogLine,
  MemberMessage,
  MemberRequest,
  MemberRequestName,
  MemberRequests,
  MemberSetup,
} from "./member-protocol.ts";

/** The parent's handle of one of several processes on one database. */
export interface Member {
  /** Resolves when its engine works, or when the process has ended. */
  readonly ready: Promise<"ready" | "ended">;
  /** The worker id under which it owns runs; known once it is ready. */
  readonly workerId: string | undefined;
  readonly exited: Promise<void>;
  /** The end of the process, in words; `undefined` while it lives. */
  readonly end: string | undefined;
  readonly paused: boolean;
  /** The log of its engine. */
  readonly log: readonly LogLine[];
  /** The end of its standard error. */
  readonly said: string;
  /** Sends a request; `lost` if the process died before its answer, so that the effect is unknown. */
  ask<Name extends MemberRequestName>(name: Name, request: MemberRequests[Name]["request"]): Promise<MemberReply<Name>>;
  /** Suspends the process until `resume`; its connections stay open. */
  pause(): void;
  resume(): void;
  /** Sends SIGKILL and waits for the end. */
  kill(): Promise<void>;
  /** Makes it stop its engine, which waits up to `drainMs` for calls under way, and end. Waits for the end. */
  drain(drainMs: number): Promise<void>;
  /** Whether the parent ended it, in any way. */
  readonly isToEnd: boolean;
}

export type MemberReply<Name extends MemberRequestName> =
  | { readonly status: "answered"; readonly value: MemberRequests[Name]["answer"] }
  | { readonly status: "refused"; readonly code: string; readonly message: string }
  | { readonly status: "lost" };

const main = join(import.meta.dirname, "member-process.ts");

/** `preload` is loaded before the product, so that it can change it. */
export function startMember(setup: MemberSetup, preload: readonly string[] = []): Member {
  const child = fork(main, [JSON.stringify(setup)], {
    execPath: process.execPath,
    execArgv: packageFlags({ preload }),
    env: { ...process.env, NODE_COMPILE_CACHE: join(import.meta.dirname, "../node_modules/.cache/nodes") },
    stdio: ["ignore", "inherit", "pipe", "ipc"],
  });
  const asked = new Map<number, (reply: MemberReply<MemberRequestName>) => void>();
  const log: LogLine[] = [];
  const ready = Promise.withResolvers<"ready" | "ended">();
  let workerId: string | undefined;
  let end: string | undefined;
  let paused = false;
  let isToEnd = false;
  let lastId = 0;

  const settle = (id: number, reply: MemberReply<MemberRequestName>): void => {
    asked.get(id)?.(reply);
    asked.delete(id);
  };
  let said = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (said = (said + text).slice(-1_000)));
  child.on("message", (message: MemberMessage) => {
    switch (message.type) {
      case "ready":
        workerId = message.workerId;
        ready.resolve("ready");
        break;
      case "logged":
        log.push(message);
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
    ready.resolve("ended");
  });

  const ask = <Name extends MemberRequestName>(
    name: Name,
    request: MemberRequests[Name]["request"],
  ): Promise<MemberReply<Name>> =>
    new Promise((resolve) => {
      if (end !== undefined || !child.connected) {
        resolve({ status: "lost" });
        return;
      }
      const id = ++lastId;
      // The name determines the type of the answer.
      asked.set(id, resolve);
      const message: MemberRequest = { id, name, request };
      child.send(message, (error) => {
        if (error !== null) settle(id, { status: "lost" });
      });
    });

  return {
    ready: ready.promise,
    exited,
    log,
    get said() {
      return said;
    },
    get workerId() {
      return workerId;
    },
    get end() {
      return end;
    },
    get paused() {
      return paused;
    },
    ask,
    pause: () => {
      paused = true;
      child.kill("SIGSTOP");
    },
    resume: () => {
      paused = false;
      child.kill("SIGCONT");
    },
    kill: async () => {
      isToEnd = true;
      child.kill("SIGKILL");
      await exited;
    },
    drain: async (drainMs) => {
      isToEnd = true;
      await ask("drain", { drainMs });
      await exited;
    },
    get isToEnd() {
      return isToEnd;
    },
  };
}
