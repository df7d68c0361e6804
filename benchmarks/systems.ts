import type { System } from "./system.ts";

/** Every system that the table compares, the ceiling first. A process loads only the one that it measures: the others' code would count in its memory. */
const LOADERS: Readonly<Record<string, () => Promise<System>>> = {
  "ideal-sqlite": async () => (await import("./ideal-sqlite.ts")).idealSqlite,
  "procedo-sqlite": async () => (await import("./procedo-sqlite.ts")).procedoSqlite,
};

export const SYSTEM_NAMES: readonly string[] = Object.keys(LOADERS);

/** @throws Error when no system has that name. */
export async function loadSystem(name: string): Promise<System> {
  const load = LOADERS[name];
  if (load === undefined) throw new Error(`No system is named "${name}"; there are ${SYSTEM_NAMES.join(", ")}.`);
  return load();
}
