import { fork } from "node:child_process";
import path from "node:path";
import process from "node:process";

/** A process that answers consecutive questions until it is told to end. */
export interface MeasuredProcess {
  ask(question: string): Promise<unknown>;
  /** Tells it to close, and waits for its exit. */
  end(): Promise<void>;
}

/**
 * Starts a script of this folder in a fresh process. It answers the question `"begin"` without being asked.
 *
 * @param built - whether packages are loaded as published
 */
export function startChild(
  script: string,
  order: unknown,
  built: boolean,
): MeasuredProcess & { readonly begun: Promise<unknown> } {
  const child = fork(path.join(import.meta.dirname, script), [JSON.stringify(order)], {
    execArgv: built ? [] : ["--conditions=@procedo/source"],
    // Its log is written, as a service's log is, and discarded.
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  let waiting: PromiseWithResolvers<unknown> | undefined;
  const nextAnswer = (): Promise<unknown> => {
    waiting = Promise.withResolvers<unknown>();
    return waiting.promise;
  };
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  child.on("message", (answer) => waiting?.resolve(answer));
  child.on("exit", (code) => waiting?.reject(new Error(`${script} ended with code ${String(code)}.`)));
  return {
    begun: nextAnswer(),
    ask: (question) => {
      const answer = nextAnswer();
      child.send(question);
      return answer;
    },
    end: async () => {
      waiting = undefined;
      if (child.connected) child.send("end");
      await gone;
    },
  };
}

/** The child's side: answers `begun`, then each question; `end` closes and exits. */
export function answerParent(
  begun: unknown,
  answers: Readonly<Record<string, () => Promise<unknown>>>,
  close: () => Promise<void>,
): void {
  const answer = async (question: string): Promise<void> => {
    if (question === "end") {
      await close();
      process.exit(0);
    }
    process.send?.((await answers[question]?.()) ?? null);
  };
  process.on("message", (question: string) => void answer(question));
  // A parent that has ended needs no answers.
  process.on("disconnect", () => process.exit(1));
  process.send?.(begun);
}
