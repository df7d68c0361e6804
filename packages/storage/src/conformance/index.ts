export { describeStorage } from "./describe-storage.ts";
export { describeAgainstMemory } from "./against-memory.ts";
export type { ConformanceOptions } from "./harness.ts";
