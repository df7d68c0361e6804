import type { Change } from "@procedo/storage";
import type { Database } from "./database.ts";

/** The dependencies that all stores of a database share. */
export interface PostgresContext {
  readonly database: Database;
  /** The time of the injected clock; with `null`, statements use the clock of the database (`sqlNow`). */
  readonly nowMs: () => number | null;
  /** Notifies the listeners of this process and the other nodes, after a write outside `Database.transaction`. */
  readonly announce: (changes: readonly Change[]) => void;
}
