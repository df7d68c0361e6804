import type { AgentState, Entry, StepError } from "@procedo/procedure";

/**
 * Adds the number of calls that the agent has already made to the failure of its node: a procedure that returns to the
 * node from its `error` branch makes those calls again. Other entries are returned unchanged. Pure.
 *
 * @param agent - its state before the entry
 */
export function withCallsMade(entry: Entry, agent: AgentState | undefined): Entry {
  const made = agent?.calls.filter(({ result }) => "output" in result).length ?? 0;
  if (made === 0) return entry;
  switch (entry.type) {
    case "node_failed":
      return { ...entry, error: withCalls(entry.error, made) };
    case "replied": {
      const { result, retryAtMs } = entry;
      if (result.status === "ok" || retryAtMs !== undefined) return entry;
      return { ...entry, result: { ...result, error: withCalls(result.error, made) } };
    }
    default:
      return entry;
  }
}

function withCalls(error: StepError, made: number): StepError {
  const which = made === 1 ? "1 of its calls was made" : `${made} of its calls were made`;
  return { ...error, message: `${error.message} ${which} before: see the run's steps.` };
}
