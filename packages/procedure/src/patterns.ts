// Patterns of schemas, without the rest of the package: a document's importer runs in a thread of its own.
export { compileLinearPattern } from "./schemas/linear-pattern.ts";
export type { PatternResult } from "./schemas/linear-pattern.ts";
