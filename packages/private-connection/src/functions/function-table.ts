import { type Manifest, maxRequestBytes, ProcedoError } from "@procedo/contract";
import { isPrivateFunction, type PrivateFunction } from "./private-function.ts";

/** The functions of a connection; no other function can be called. */
export interface FunctionTable {
  /** Finds only defined names: `constructor` and similar names find nothing. */
  get(name: string): PrivateFunction | undefined;
  readonly names: readonly string[];
  /** The declaration for the service, as JSON text. */
  readonly manifest: string;
}

/** @throws ProcedoError `invalid_configuration` */
export function createFunctionTable(functions: readonly PrivateFunction[]): FunctionTable {
  if (functions.length === 0) throw refused("There is no function to serve; give at least one.");
  const byName = new Map<string, PrivateFunction>();
  for (const one of functions) {
    if (!isPrivateFunction(one)) throw refused("functions may contain only functions from defineFunction.");
    if (byName.has(one.name)) throw refused(`Two functions are named "${one.name}"; give each a unique name.`);
    byName.set(one.name, one);
  }
  const manifest: Manifest = { functions: functions.map(({ declaration }) => declaration) };
  const text = JSON.stringify(manifest);
  const bytes = new TextEncoder().encode(text).length;
  if (bytes > maxRequestBytes) {
    throw refused(`The functions' schemas are ${bytes} bytes together; the maximum is ${maxRequestBytes}.`);
  }
  return { get: (name) => byName.get(name), names: [...byName.keys()], manifest: text };
}

const refused = (message: string): ProcedoError => new ProcedoError("invalid_configuration", message);
