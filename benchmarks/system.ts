import type { PaymentInput, ToolOutput, Tools } from "./payment.ts";

/** Something that runs the workloads durably: the hand-written ceiling, or Procedo itself. */
export interface System {
  readonly name: string;
  /** Opens a fresh database in `directory`, an empty folder that the caller removes. */
  open(options: { readonly directory: string; readonly tools: Tools }): Promise<Session>;
}

/** An open database. Every promise of its methods settles only when what it stands for is durable. */
export interface Session {
  /** The database file, for its size on disk and its count of transactions. */
  readonly file: string;
  /** W1: start, tool A, condition, tool B, tool C, end. Answers the output of tool C. */
  run(input: PaymentInput): Promise<ToolOutput>;
  /** First half of W2: start, tool A, then a human review, at which the run is left. Answers what `resume` takes. */
  pause(input: PaymentInput): Promise<string>;
  /** Second half of W2: the approving decision, tool B, end. Answers the output of tool B. */
  resume(paused: string): Promise<ToolOutput>;
  close(): Promise<void>;
}
