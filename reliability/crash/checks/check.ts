import type { Evidence } from "../evidence.ts";

/** One invariant: returns its violations. Pure. */
export type Check = (evidence: Evidence) => readonly string[];
