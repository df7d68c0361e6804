import { TestingError } from "./testing-error.ts";

/**
 * The work of actions and models that is under way, for which a test's clock waits. Also keeps the first failure that a
 * procedure must not hide.
 */
export interface WorkUnderWay {
  /** Runs simulated work, and keeps a {@link TestingError} of it. */
  during<T>(work: () => PromiseLike<T> | T): Promise<T>;
  /** Runs real work. It may depend on a deadline, which is then reached in real time. */
  duringReal<T>(work: () => PromiseLike<T> | T): Promise<T>;
  /** Keeps the first error that must fail the test. */
  fail(error: unknown): void;
  /** Resolves when no work is under way. */
  idle(): Promise<void>;
  readonly isIdle: boolean;
  /** Whether all work under way is real. */
  readonly isReal: boolean;
  /** @throws the kept error, once */
  check(): void;
}

/** @param begins called whenever work begins */
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
