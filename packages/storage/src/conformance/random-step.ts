import type { Storage } from "../storage.ts";

/** One call, for several storages. */
export interface Step {
  readonly name: string;
  readonly call: (storage: Storage) => Promise<unknown>;
  /** Updates the generator's knowledge from the answer: without it, nearly all rows would be fenced. */
  readonly learn?: (answer: unknown) => void;
}
