/** What a step found. The step itself counts as one check; `passed` and `failed` are the tests within it. */
export interface StepOutcome {
  readonly ok: boolean;
  /** Shown when the step failed. */
  readonly output: string;
  readonly passed?: number;
  readonly failed?: number;
  /** What failed within the step, by name. @defaultValue the step itself */
  readonly failures?: readonly string[];
  /** A few words beside the step's name, as in "no files yet". */
  readonly note?: string;
}

/** One check of `pnpm verify`. */
export interface Step {
  readonly name: string;
  /** The name of an earlier step without which this one has nothing to check. */
  readonly needs?: string;
  readonly run: () => Promise<StepOutcome>;
}

/** What the steps share: where lines go and what the clock says. */
export interface StepReporter {
  readonly print: (line: string) => void;
  /** Milliseconds since any moment. */
  readonly now: () => number;
}

/** The sum over all steps and tests. */
export interface Tally {
  readonly passed: number;
  readonly failed: number;
  /** What failed, by name, in the order in which it did; a line each. */
  readonly failures: readonly string[];
}

/**
 * Runs stages in order and the steps within a stage side by side. A failed step does not stop the others: only a step that needs it
 * is counted as failed without being run.
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
        ? { ok: false, output: `Not run: it needs "${step.needs}", which failed.` }
        : await attempt(step);
    const seconds = ((reporter.now() - startedAt) / 1000).toFixed(1);
    passed += (outcome.passed ?? 0) + (outcome.ok ? 1 : 0);
    failed += (outcome.failed ?? 0) + (outcome.ok ? 0 : 1);
    const named: string[] = [];
    if (!outcome.ok) {
      failedSteps.add(step.name);
      const within = outcome.failures ?? [];
      // What a proof says of a failure may be a page; its first line tells which it is.
      const names = within.map((name) => `${step.name}: ${name.split("\n", 1)[0]?.slice(0, 300)}`);
      named.push(...(names.length === 0 ? [step.name] : names));
      failures.push(...named);
    }
    reporter.print([outcome.ok ? "ok    " : "FAILED", step.name, describe(outcome), `${seconds} s`].join("  "));
    if (outcome.ok) return;
    // Before an output of which a log may show only the beginning; all of them stand at the very end once more.
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

/** The last lines of a verification: what failed, a line each, then the counts. */
export function closingLines({ passed, failed, failures }: Tally): readonly string[] {
  return [...failures.map(failureLine), `${passed} passed, ${failed} failed`];
}

function failureLine(name: string): string {
  return `FAILED  ${name}`;
}
