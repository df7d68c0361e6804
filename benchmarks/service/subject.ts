import type { Database } from "../database.ts";

/** What a load is sent to: a server of its own process, which `subject-child.ts` starts and asks. */
export interface Subject {
  /** Listens on a free port of the loopback address; `directory` is an empty folder of its own. */
  listen(options: SubjectOptions): Promise<Listening>;
}

export interface SubjectOptions {
  readonly directory: string;
  /** A new database of Postgres for what it keeps; without one it keeps it in `directory`. */
  readonly databaseUrl?: string;
  readonly mode: RunMode;
}

/** How the service is asked for a run: answered once it is durable, or once it has ended. */
export type RunMode = "async" | "sync";

export interface Listening {
  readonly target: Target;
  /** Tells its count of transactions; a subject that has none leaves it out. */
  readonly database?: Database;
  /** Runs that have ended; a subject that has none leaves it out. */
  readonly ended?: () => number;
  readonly close: () => Promise<void>;
}

/** Where and how requests are sent, and what an answer has to be like: an error must not be measured as a fast answer. */
export interface Target {
  readonly port: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Whether each body is signed with {@link SIGNING_SECRET}. */
  readonly signed: boolean;
  readonly answer: { readonly status: number; readonly holds: string };
}

/** Signs the bodies of subjects that check a signature. */
export const SIGNING_SECRET = "whsec_4mPq0R8sT1uVwXyZ2a3B5c7D9e0FgHjKlMnOpQrStUv";
