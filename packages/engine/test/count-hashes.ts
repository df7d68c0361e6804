import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import { onTestFinished } from "vitest";

/** Counts the passwords that this process hashes until the test ends. */
export function countHashes(): () => number {
  const { scrypt } = crypto;
  let count = 0;
  const counting = (...given: readonly unknown[]): unknown => {
    count += 1;
    return Reflect.apply(scrypt, crypto, given);
  };
  const use = (its: unknown): void => {
    Object.assign(crypto, { scrypt: its });
    syncBuiltinESMExports();
  };
  use(counting);
  onTestFinished(() => use(scrypt));
  return () => count;
}
