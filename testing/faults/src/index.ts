/*
 * Time, randomness and faults of storage for tests and proofs.
 *
 *   manual-clock.ts           a clock that a test moves
 *   seeded-random.ts          randomness that a seed reproduces
 *   intercept-storage.ts      hooks around verbs of a storage: to fail, delay, observe or repeat them
 *   interruptible-storage.ts  a storage that can be cut off and mended, and counts its calls
 */
export { manualClock, type ManualClock, type ManualClockOptions } from "./manual-clock.ts";
export { seededRandom, type SeededRandom } from "./seeded-random.ts";
export {
  interceptEveryVerb,
  interceptVerbs,
  type AnyVerbHook,
  type VerbHook,
  type VerbHooks,
  type VerbName,
} from "./intercept-storage.ts";
export {
  interruptibleStorage,
  storageUnavailable,
  type Interference,
  type InterruptibleStorage,
} from "./interruptible-storage.ts";
