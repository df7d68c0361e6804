import fc from "fast-check";

/** A small model of concurrent events, with a promise that holds in every order of them. */
export interface Race {
  readonly name: string;
  readonly property: fc.IAsyncProperty<[unknown]>;
}

/** @param predicate throws if the promise does not hold */
export function race<T>(name: string, arbitrary: fc.Arbitrary<T>, predicate: (value: T) => Promise<void>): Race {
  return { name, property: fc.asyncProperty(arbitrary, predicate) };
}
