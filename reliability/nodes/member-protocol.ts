import type { RunStatus } from "@procedo/contract";
import type { NodeRequests } from "../crash/protocol.ts";
import type { Vote } from "./asking-procedure.ts";

/** How a member is set up: the JSON of its first argument. */
export interface MemberSetup {
  /** Where it reaches Postgres: the server itself, or a proxy before it. */
  readonly databaseUrl: string;
  readonly keyPath: string;
  readonly ledgerUrl: string;
  readonly ledgerToken: string;
  readonly leaseMs: number;
  /** How long a payment may take. */
  readonly paymentTimeoutMs: number;
  /** Of the pool. */
  readonly poolSize: number;
  /** Sets the database up before it works; of one member only. */
  readonly prepares: boolean;
  /** Whether it also serves the HTTP interface. */
  readonly serves: boolean;
  /** Share of transactions that break off with a serialization failure or a deadlock, from 0 to 1. */
  readonly brokenShare: number;
  readonly seed: number;
}

/** What the parent asks of a member, by the name of the request. */
export interface MemberRequests extends Omit<NodeRequests, "arm"> {
  /** Starts a run of the procedure that asks once. */
  readonly begin: { readonly request: { readonly key: string }; readonly answer: { readonly runId: string } };
  /** Decides on the review of such a run. */
  readonly vote: { readonly request: Vote; readonly answer: { readonly outcome: "won" } };
  /** A run as a caller of the API sees it. */
  readonly read: { readonly request: { readonly runId: string }; readonly answer: { readonly status: RunStatus } };
  /** Where it serves, with a key; only of one that serves. */
  readonly door: { readonly request: Record<string, never>; readonly answer: Door };
  readonly count: { readonly request: Record<string, never>; readonly answer: BrokenTransactions };
}

export interface Door {
  readonly url: string;
  readonly key: string;
}

/** What happened to the transactions of one member. */
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

/** What a member tells. An answer is sent when what it acknowledges is durable. */
export type MemberMessage =
  /** Its engine works, and holds runs under this name. */
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
