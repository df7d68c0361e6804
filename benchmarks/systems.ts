import type { Database } from "./database.ts";
import { PEERS } from "./peers/peers.ts";
import type { System } from "./system.ts";

/** The properties of a system, before its code is loaded. */
export interface SystemEntry {
  readonly name: string;
  /** The database of the cases in which it is measured. */
  readonly database: Exclude<Database["kind"], "folder">;
  /** The publisher of a peer, which is installed separately and measured only on demand. */
  readonly peer?: string;
  readonly load: () => Promise<System>;
}

/** Every system in the table: the ceilings, Procedo, the peers. A process loads only the one that it measures. */
export const SYSTEMS: readonly SystemEntry[] = [
  {
    name: "ideal-sqlite",
    database: "sqlite",
    load: async () => (await import("./ideal-sqlite.ts")).idealSqlite,
  },
  {
    name: "procedo-sqlite",
    database: "sqlite",
    load: async () => (await import("./procedo.ts")).procedoSqlite,
  },
  {
    name: "ideal-postgres",
    database: "postgres",
    load: async () => (await import("./ideal-postgres.ts")).idealPostgres,
  },
  {
    name: "procedo-postgres",
    database: "postgres",
    load: async () => (await import("./procedo.ts")).procedoPostgres,
  },
  ...PEERS,
];

/** The systems of a case on a database: the ceiling first, Procedo second, then the peers on demand. */
export function systemsOn(database: SystemEntry["database"], withPeers: boolean): readonly SystemEntry[] {
  return SYSTEMS.filter((each) => each.database === database && (withPeers || each.peer === undefined));
}

/** @throws Error if no system has that name */
export async function loadSystem(name: string): Promise<System> {
  const entry = SYSTEMS.find((each) => each.name === name);
  if (entry === undefined) {
    throw new Error(`No system is named "${name}"; there are ${SYSTEMS.map((each) => each.name).join(", ")}.`);
  }
  return entry.load();
}
