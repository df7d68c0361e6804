import { TestingError } from "./testing-error.ts";

/**
 * Work of actions and models that takes the time that it takes: while there is some, a test's clock waits for it. And
 * what went wrong in a way that no procedure may swallow.
 */
export interface WorkUnderWay {
  /** Does what a test has made up, and remembers a {@link TestingError} of it. */
  during<T>(work: () => PromiseLike<T> | T): Promise<T>;
  /** The same with something real: it may need the deadline that it has, which comes as late as it really would. */
  duringReal<T>(work: () => PromiseLike<T> | T): Promise<T>;
  /** Remembers the first thing that has to fail the test. */
  fail(error: unknown): void;
  /** Resolves when there is no work, at once when there is none. */
  idle(): Promise<void>;
  readonly isIdle: boolean;
  /** Whether all work that there is is real. */
  readonly isReal: boolean;
  /** @throws what was remembered, once */
  check(): void;
}

/** @param begins called whenever there is work */
export function createWorkUnderWay(begins: () => void = () => {}): WorkUnderWay {
  const working = new Map<Promise<unknown>, { readonly isReal: boolean }>();
  let failure: { readonly error: unknown } | undefined;
  const fail = (error: unknown): void => {
    failure ??= { error };
  };
  const doWork = async <T>(work: () => PromiseLike<T> | T, isReal: boolean): Promise<T> => {
    begins();
    const result = (async () => await work())();
    working.set(result, { isReal });
    try {
      return await result;
    } catch (error) {
      if (error instanceof TestingError) fail(error);
      throw error;
    } finally {
      working.delete(result);
    }
  };
  return {
    during: (work) => doWork(work, false),
    duringReal: (work) => doWork(work, true),
    fail,
    idle: async () => {
      while (working.size > 0) await Promise.race(working.keys()).catch(() => {});
    },
    get isIdle() {
      return working.size === 0;
    },
    get isReal() {
      return [...working.values()].every(({ isReal }) => isReal);
    },
    check: () => {
      if (failure === undefined) return;
      const { error } = failure;
      failure = undefined;
      throw error;
    },
  };
}
