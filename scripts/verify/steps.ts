/** The outcome of a step. The step itself counts as one check; `passed` and `failed` count its tests. */
export interface StepOutcome {
  readonly ok: boolean;
  /** Shown when the step failed. */
  readonly output: string;
  readonly passed?: number;
  readonly failed?: number;
  /** Names of the failures within the step. @defaultValue the step itself */
  readonly failures?: readonly string[];
  /** A short note beside the step's name, such as "no files yet". */
  readonly note?: string;
}

/** One check of `pnpm verify`. */
export interface Step {
  readonly name: string;
  /** The name of an earlier step whose success this step requires. */
  readonly needs?: string;
  readonly run: () => Promise<StepOutcome>;
}

/** Output and clock shared by the steps. */
export interface StepReporter {
  readonly print: (line: string) => void;
  /** Milliseconds since an arbitrary moment. */
  readonly now: () => number;
}

/** The counts of all steps and tests. */
export interface Tally {
  readonly passed: number;
  readonly failed: number;
  /** Names of the failures in order of occurrence, one line each. */
  readonly failures: readonly string[];
}

/**
 * Runs stages in order, and the steps of a stage in parallel. A failed step does not stop the others, except that a
 * step which needs it is counted as failed without being run.
 */
export async function runSteps(stages: readonly (readonly Step[])[], reporter: StepReporter): Promise<Tally> {
  const failedSteps = new Set<string>();
  let passed = 0;
  let failed = 0;
  const failures: string[] = [];

  const runStep = async (step: Step): Promise<void> => {
    const startedAt = reporter.now();
    reporter.print(`...     ${step.name}`);
    const outcome =
      step.needs !== undefined && failedSteps.has(step.needs)
        ? { ok: false, output: `Not run, because the required step "${step.needs}" failed.` }
        : await attempt(step);
    const seconds = ((reporter.now() - startedAt) / 1000).toFixed(1);
    passed += (outcome.passed ?? 0) + (outcome.ok ? 1 : 0);
    failed += (outcome.failed ?? 0) + (outcome.ok ? 0 : 1);
    const named: string[] = [];
    if (!outcome.ok) {
      failedSteps.add(step.name);
      const within = outcome.failures ?? [];
      // A proof may describe a failure in a page of text; the first line identifies the failure.
      const names = within.map((name) => `${step.name}: ${name.split("\n", 1)[0]?.slice(0, 300)}`);
      named.push(...(names.length === 0 ? [step.name] : names));
      failures.push(...named);
    }
    reporter.print([outcome.ok ? "ok    " : "FAILED", step.name, describe(outcome), `${seconds} s`].join("  "));
    if (outcome.ok) return;
    // Printed before the output, because a log may show only its beginning. All failures are listed again at the end.
    for (const name of named) reporter.print(failureLine(name));
    reporter.print(indent(outcome.output));
  };

  for (const stage of stages) await Promise.all(stage.map(runStep));
  return { passed, failed, failures };
}

async function attempt(step: Step): Promise<StepOutcome> {
  try {
    return await step.run();
  } catch (error) {
    return { ok: false, output: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

function describe({ passed = 0, failed = 0, note }: StepOutcome): string {
  if (note !== undefined) return `(${note})`;
  if (passed + failed === 0) return "";
  return `(${passed} passed, ${failed} failed)`;
}

function indent(output: string): string {
  return output.trimEnd().replace(/^/gm, "    ");
}

/** The last lines of a verification: the failures, one line each, then the counts. */
export function closingLines({ passed, failed, failures }: Tally): readonly string[] {
  return [...failures.map(failureLine), `${passed} passed, ${failed} failed`];
}

function failureLine(name: string): string {
  return `FAILED  ${name}`;
}
