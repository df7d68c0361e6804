import type { Made } from "./processes.ts";
import type { EndedRun } from "./world.ts";

export interface CallEvidence {
  readonly ended: readonly EndedRun[];
  readonly made: readonly Made[];
  /** Lease tokens whose result was accepted, by invocation. */
  readonly accepted: ReadonlyMap<string, ReadonlySet<string>>;
}

/** The broken promises: every run has one result, of its own call, and a function that is not idempotent ran at most once. */
export function judgeCalls({ ended, made, accepted }: CallEvidence): readonly string[] {
  const failures: string[] = [];
  const callsOf = Map.groupBy(made, ({ n }) => n);
  for (const { n, name, runId, status, error, said } of ended) {
    const calls = callsOf.get(n) ?? [];
    const run = `run ${runId} (${name} ${n})`;
    if (status === "failed" && calls.length === 0 && wasNotCalled(error)) continue;
    if (status !== "completed") failures.push(`${run} is ${status}: ${error ?? ""}`);
    else if (said?.decided !== true && said?.n !== n) failures.push(`${run} has the result ${JSON.stringify(said)}`);
    if (said?.decided === true && name === "look") failures.push(`${run} may be repeated, and a person was asked`);
    if (name === "pay" && calls.length > 1) failures.push(`${run} was called ${calls.length} times`);
    if (said?.decided !== true && calls.length === 0) failures.push(`${run} has a result, and was never called`);
    if (calls.some((call) => call.name !== name)) failures.push(`${run} was a call of another function`);
  }
  for (const [id, tokens] of accepted) {
    if (tokens.size > 1) failures.push(`invocation ${id} had ${tokens.size} results accepted`);
  }
  return failures;
}

/**
 * The error of a client whose acknowledgement was unanswered until its lease ended, as when the service is unavailable.
 */
export function wasNotCalled(error: string | undefined): boolean {
  return error?.startsWith("The function was not called:") === true;
}
