import { idealSqlite } from "./ideal-sqlite.ts";
import type { System } from "./system.ts";

/** Every system that the table compares, the ceiling first. */
export const SYSTEMS: readonly System[] = [idealSqlite];

/** @throws Error when no system has that name. */
export function systemNamed(name: string): System {
  const system = SYSTEMS.find((candidate) => candidate.name === name);
  if (system === undefined) {
    throw new Error(`No system is named "${name}"; there are ${SYSTEMS.map((each) => each.name).join(", ")}.`);
  }
  return system;
}
