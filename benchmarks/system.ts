import type { Database } from "./database.ts";
import type { PaymentInput, ToolOutput, Tools } from "./payment.ts";

/** A system that runs the workloads durably: the hand-written ceiling, Procedo itself, or a peer. */
export interface System {
  readonly name: string;
  open(options: SystemOptions): Promise<Session>;
}

export interface SystemOptions {
  /** An empty folder that the caller removes. */
  readonly directory: string;
  /** A new, empty database of Postgres; systems that store their rows there need it. */
  readonly databaseUrl?: string;
  readonly tools: Tools;
  /** The number of concurrent runs of the load, for systems that need this setting. */
  readonly concurrency?: number;
}

/** An open database. Every promise of its methods settles only when its result is durable. */
export interface Session {
  readonly database: Database;
  /** W1: start, tool A, condition, tool B, tool C, end. Returns the output of tool C. */
  run(input: PaymentInput): Promise<ToolOutput>;
  /** First half of W2: start, tool A, then a human review, at which the run waits. Returns the argument of `resume`. */
  pause(input: PaymentInput): Promise<string>;
  /** Second half of W2: the approving decision, tool B, end. Returns the output of tool B. */
  resume(paused: string): Promise<ToolOutput>;
  /** Ends every connection to the database. */
  close(): Promise<void>;
  /** Peak memory of a separate server that the system needs beside this process, in MB. */
  serverRssMb?(): Promise<number>;
}

/** @throws Error if the caller gave no database */
export function requireDatabase({ databaseUrl }: SystemOptions): string {
  if (databaseUrl === undefined) throw new Error("This system needs a database of Postgres, and was given none.");
  return databaseUrl;
}
