import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as pause } from "node:timers/promises";
import { packageFlags } from "../../package-flags.ts";
import type { CellMessage, MoreWork, ProcessSetup } from "./process-protocol.ts";

/** The parent's handle of a process that works on several databases. */
export interface LoopProcess {
  send(work: MoreWork): void;
  /** The next message of a cell; rejects when the process ends or sends no message of the cell for too long. */
  next(cell: number): Promise<"reached" | "idle">;
  /** Reports that a cell is held outside the process. */
  note(cell: number): void;
  /** Sends SIGKILL and waits for the end. */
  kill(): Promise<void>;
}

const silenceMs = 240_000;
const main = join(import.meta.dirname, "loop-process.ts");

/** Starts a process. `preload` is loaded before the product, and can change it. */
export function startLoopProcess(setup: ProcessSetup, preload: readonly string[]): LoopProcess {
  const child = fork(main, [JSON.stringify(setup)], {
    execPath: process.execPath,
    execArgv: packageFlags({ preload }),
    env: { ...process.env, NODE_COMPILE_CACHE: join(import.meta.dirname, "../../node_modules/.cache/agent") },
    stdio: ["ignore", "inherit", "pipe", "ipc"],
  });
  let said = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (said = (said + text).slice(-1_000)));
  const heard = new Map<number, CellMessage[]>();
  const waiting = new Map<number, (message: CellMessage) => void>();
  const take = (message: CellMessage): void => {
    const waits = waiting.get(message.cell);
    waiting.delete(message.cell);
    if (waits !== undefined) waits(message);
    else heard.set(message.cell, [...(heard.get(message.cell) ?? []), message]);
  };
  child.on("message", (message) => take(message as CellMessage));
  const ended = Promise.withResolvers<never>();
  ended.promise.catch(() => {});
  const exited = once(child, "close").then(([code, signal]) => {
    ended.reject(new Error(`${diedByItself}, by ${String(signal ?? code)}: ${said}`));
  });

  return {
    send: (work) => void child.send(work),
    next: async (cell) => {
      const message = heard.get(cell)?.shift() ?? (await Promise.race([wordOf(cell), ended.promise, silenceOf(cell)]));
      if (message.type === "failed") throw new Error(message.message);
      return message.type;
    },
    note: (cell) => take({ type: "reached", cell }),
    kill: async () => {
      child.kill("SIGKILL");
      await exited;
    },
  };

  function wordOf(cell: number): Promise<CellMessage> {
    return new Promise((resolve) => waiting.set(cell, resolve));
  }

  async function silenceOf(cell: number): Promise<never> {
    await pause(silenceMs, undefined, { ref: false });
    throw new Error(`Cell ${cell} makes no progress. ${said}`);
  }
}

/** The beginning of the error of a process that ended without a kill. */
export const diedByItself = "A process ended by itself";
