// The patterns of schemas, without the rest of the package: the importer of documents runs in its own thread.
export { compileLinearPattern } from "./schemas/linear-pattern.ts";
export type { PatternResult } from "./schemas/linear-pattern.ts";
