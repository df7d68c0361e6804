import type { AgentState, Entry, StepError } from "@procedo/procedure";

/**
 * The failure of a node whose agent has made calls before says so: whoever goes back to such a node from its `error` branch
 * makes them once more. Other entries stay as they are. Pure.
 *
 * @param agent - as it was before the entry
 */
export function tellCallsMade(entry: Entry, agent: AgentState | undefined): Entry {
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
