import type { Change } from "@procedo/storage";
import type { Database } from "./database.ts";

/** What every store of one database shares. */
export interface PostgresContext {
  readonly database: Database;
  /** The injected clock's time; `null`: statements ask the database's clock (`sqlNow`). */
  readonly nowMs: () => number | null;
  /** Tells this process's listeners and the other nodes, after a write outside `Database.transaction`. */
  readonly announce: (changes: readonly Change[]) => void;
}
