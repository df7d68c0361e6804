import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { packageFlags } from "../package-flags.ts";

export interface PayingSetup {
  /** The address of Postgres; without it the SQLite file is used. */
  readonly databaseUrl: string | undefined;
  readonly databasePath: string;
  readonly bankUrl: string;
  readonly leaseMs: number;
  /** The timeout of a payment. */
  readonly timeoutMs: number;
  /** Whether it publishes the procedure. */
  readonly prepares: boolean;
}

export type PayingRequest = { readonly id: number } & PayingCommand;

export type PayingCommand =
  | { readonly do: "start"; readonly runs: number }
  /** Keeps the event loop busy. */
  | { readonly do: "block"; readonly ms: number }
  /** Drains for the engine's default time. */
  | { readonly do: "stop" }
  | { readonly do: "look"; readonly runIds: readonly string[] };

export interface PayingAnswer {
  readonly runIds?: readonly string[];
  readonly ended?: readonly string[];
  /** Runs with a review, closed ones included. */
  readonly asked?: readonly string[];
}

/** The parent's handle of one process. */
export interface PayingMember {
  /** @throws Error if the process ended before its answer, or failed */
  ask(command: PayingCommand): Promise<PayingAnswer>;
  signal(signal: "SIGSTOP" | "SIGCONT"): void;
  kill(): Promise<void>;
}

export async function startPayingMember(setup: PayingSetup): Promise<PayingMember> {
  const child = fork(join(import.meta.dirname, "paying-process.ts"), [JSON.stringify(setup)], {
    execArgv: packageFlags(),
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const exited = once(child, "exit");
  const asked = new Map<number, PromiseWithResolvers<PayingAnswer>>();
  let lastId = 0;
  const expectAnswer = (id: number): Promise<PayingAnswer> => {
    const answer = Promise.withResolvers<PayingAnswer>();
    asked.set(id, answer);
    return answer.promise;
  };
  child.on("message", (message: { readonly id: number; readonly value?: PayingAnswer; readonly failed?: string }) => {
    if (message.value !== undefined) asked.get(message.id)?.resolve(message.value);
    else asked.get(message.id)?.reject(new Error(message.failed));
    asked.delete(message.id);
  });
  void exited.then(() => {
    for (const answer of asked.values()) answer.reject(new Error("The process has ended."));
  });
  await expectAnswer(0);
  return {
    ask: (command) => {
      const id = ++lastId;
      const answer = expectAnswer(id);
      child.send({ id, ...command });
      return answer;
    },
    signal: (signal) => void child.kill(signal),
    kill: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill("SIGCONT");
      child.kill("SIGKILL");
      await exited;
    },
  };
}
