import fc from "fast-check";

/** A small model of what may happen at the same instant, with the promise that it holds in every order. */
export interface Race {
  readonly name: string;
  readonly property: fc.IAsyncProperty<[unknown]>;
}

/** @param predicate throws when the promise does not hold */
export function race<T>(name: string, arbitrary: fc.Arbitrary<T>, predicate: (value: T) => Promise<void>): Race {
  return { name, property: fc.asyncProperty(arbitrary, predicate) };
}
