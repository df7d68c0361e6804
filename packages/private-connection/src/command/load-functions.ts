import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { ProcedoError } from "@procedo/contract";
import { isPrivateFunction, type PrivateFunction } from "../functions/private-function.ts";

/**
 * Returns the functions that a module exports: those in a default export that is a list, and all other exports from
 * `defineFunction`, each once.
 *
 * @throws ProcedoError `invalid_configuration` when there is no function, no such file, or a CommonJS module; any error of
 *   the module itself
 */
export async function loadFunctions(path: string): Promise<readonly PrivateFunction[]> {
  const file = resolve(path);
  if (!existsSync(file)) throw refused(`The file ${file} does not exist. Name the module that exports the functions.`);
  const exported = await importModule(file);
  const found = new Set<PrivateFunction>();
  for (const [name, value] of Object.entries(exported)) {
    const candidates: readonly unknown[] = Array.isArray(value) ? value : [value];
    for (const one of candidates) {
      if (isPrivateFunction(one)) found.add(one);
      else if (name === "default" && Array.isArray(value)) {
        throw refused(`${file} exports a list with a value that is not a function from defineFunction.`);
      }
    }
  }
  if (found.size === 0)
    throw refused(`${file} exports no function. Create functions with defineFunction and export them.`);
  return [...found];
}

async function importModule(file: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return (await import(pathToFileURL(file).href)) as Readonly<Record<string, unknown>>;
  } catch (error) {
    // `npm init` writes "commonjs" into each package.json; Node's own message does not mention that setting.
    if (!(error instanceof SyntaxError && /outside a module|Unexpected token 'export'/.test(error.message)))
      throw error;
    throw refused(
      `${file} uses import and export, but its package.json says "type": "commonjs". ` +
        'Set "type": "module" there, or rename the file to end in .mts or .mjs.',
    );
  }
}

const refused = (message: string): ProcedoError => new ProcedoError("invalid_configuration", message);
