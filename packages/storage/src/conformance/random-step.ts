import type { Storage } from "../storage.ts";

/** One call, to be made on several storages. */
export interface Step {
  readonly name: string;
  readonly call: (storage: Storage) => Promise<unknown>;
  /** What the answer teaches about the state: without it nearly all rows would be fenced. */
  readonly learn?: (answer: unknown) => void;
}
