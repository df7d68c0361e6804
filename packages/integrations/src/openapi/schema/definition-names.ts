import { createHash } from "node:crypto";
import type { ApiDocument } from "../document/api-document.ts";

/** The place of named schemas in each dialect. */
export const schemasAt: Readonly<Record<ApiDocument["dialect"], string>> = {
  "openapi-3.0": "/components/schemas",
  "swagger-2.0": "/definitions",
};

/**
 * Names schemas for `$defs`: by their own names if these are plain, otherwise with a hash of their place, so that a
 * name does not depend on other schemas.
 */
export function createDefinitionNames(dialect: ApiDocument["dialect"]): (pointer: string) => string {
  const taken = new Set<string>();
  const home = `${schemasAt[dialect]}/`;
  return (pointer) => {
    const last = pointer.slice(pointer.lastIndexOf("/") + 1);
    const plain = pointer === home + last && /^[A-Za-z0-9_.-]{1,100}$/.test(last) && last !== "__proto__";
    let name = plain ? last : `${last.replace(/[^A-Za-z0-9]+/g, "_").slice(0, 60)}_${hashOf(pointer)}`;
    while (taken.has(name)) name += "_";
    taken.add(name);
    return name;
  };
}

const hashOf = (pointer: string) => createHash("sha256").update(pointer).digest("hex").slice(0, 8);
