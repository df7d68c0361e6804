import type { Database } from "../database.ts";

/** The target of a load: a server in a separate process, which `subject-child.ts` starts and controls. */
export interface Subject {
  /** Listens on a free port of the loopback address; `directory` is a separate empty folder. */
  listen(options: SubjectOptions): Promise<Listening>;
}

export interface SubjectOptions {
  readonly directory: string;
  /** A new database of Postgres for its data; without one it stores them in `directory`. */
  readonly databaseUrl?: string;
  readonly mode: RunMode;
}

/** The mode of a start: answered once the run is durable, or once it has ended. */
export type RunMode = "async" | "sync";

export interface Listening {
  readonly target: Target;
  /** Returns its count of transactions; a subject without transactions omits it. */
  readonly database?: Database;
  /** The number of ended runs; a subject without runs omits it. */
  readonly ended?: () => number;
  readonly close: () => Promise<void>;
}

/** The target of requests, and the expected answer: an error must not be measured as a fast answer. */
export interface Target {
  readonly port: number;
  /** Requests take them in turn. */
  readonly paths: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  /** Whether each body is signed with {@link SIGNING_SECRET}. */
  readonly signed: boolean;
  readonly answer: { readonly status: number; readonly holds: string };
}

/** Signs the bodies for subjects that check a signature. */
export const SIGNING_SECRET = "whsec_4mPq0R8sT1uVwXyZ2a3B5c7D9e0FgHjKlMnOpQrStUv";
