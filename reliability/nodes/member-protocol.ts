import type { RunStatus } from "@procedo/contract";
import type { NodeRequests } from "../crash/protocol.ts";
import type { Vote } from "./asking-procedure.ts";

/** The setup of a member: the JSON of its first argument. */
export interface MemberSetup {
  /** The address of Postgres: the server itself, or a proxy before it. */
  readonly databaseUrl: string;
  readonly keyPath: string;
  readonly ledgerUrl: string;
  readonly ledgerToken: string;
  readonly leaseMs: number;
  /** The timeout of a payment. */
  readonly paymentTimeoutMs: number;
  /** The size of the pool. */
  readonly poolSize: number;
  /** Whether it sets up the database before it works; only one member does. */
  readonly prepares: boolean;
  /** Whether it also serves the HTTP interface. */
  readonly serves: boolean;
  /** Share of transactions that are aborted with a serialization failure or a deadlock, from 0 to 1. */
  readonly brokenShare: number;
  readonly seed: number;
}

/** The parent's requests to a member, by name. */
export interface MemberRequests extends Omit<NodeRequests, "arm"> {
  /** Starts a run of the procedure with one review. */
  readonly begin: { readonly request: { readonly key: string }; readonly answer: { readonly runId: string } };
  /** Decides on the review of such a run. */
  readonly vote: { readonly request: Vote; readonly answer: { readonly outcome: "won" } };
  /** Reads a run as a caller of the API does. */
  readonly read: { readonly request: { readonly runId: string }; readonly answer: { readonly status: RunStatus } };
  /** The address of its HTTP interface, with a key; only if it serves. */
  readonly door: { readonly request: Record<string, never>; readonly answer: Door };
  readonly count: { readonly request: Record<string, never>; readonly answer: BrokenTransactions };
}

export interface Door {
  readonly url: string;
  readonly key: string;
}

/** The aborted and completed transactions of one member. */
export interface BrokenTransactions {
  readonly transactions: number;
  readonly broken: number;
}

export type MemberRequestName = keyof MemberRequests;

export interface MemberRequest<Name extends MemberRequestName = MemberRequestName> {
  readonly id: number;
  readonly name: Name;
  readonly request: MemberRequests[Name]["request"];
}

/** The messages of a member. An answer is sent when the acknowledged work is durable. */
export type MemberMessage =
  /** Its engine works, and owns runs under this worker id. */
  | { readonly type: "ready"; readonly workerId: string }
  | ({ readonly type: "logged" } & LogLine)
  | { readonly type: "answer"; readonly id: number; readonly value: unknown }
  | { readonly type: "refusal"; readonly id: number; readonly code: string; readonly message: string };

export interface LogLine {
  readonly level: "info" | "warn" | "error";
  readonly message: string;
  readonly runId?: string | undefined;
  readonly error?: string | undefined;
}
