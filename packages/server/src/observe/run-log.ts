import type { Entry, TokenUsage } from "@procedo/procedure";
import type { ServerLog } from "./log.ts";
import type { Observe } from "@procedo/engine";

/**
 * Logs the progress of runs: steps at `debug`, events that may need attention at `info`. Inputs, outputs and messages
 * that may quote them are never logged.
 */
export function createRunLog(log: ServerLog): Observe {
  return (run, entries) => {
    for (const entry of entries) logEntry(log, run, entry);
  };
}

function logEntry(log: ServerLog, run: Parameters<Observe>[0], entry: Entry): void {
  const { runId, procedureId, procedureVersion, environment } = run;
  const fields = { runId, procedureId, procedureVersion, environment };
  switch (entry.type) {
    case "started":
      return log.debug("Run started.", fields);
    case "recovered":
      return log.info("Run taken over from a worker that stopped.", { ...fields, epoch: entry.epoch });
    case "branch_taken":
      return log.debug("Branch chosen.", { ...fields, ...step(entry), branch: entry.branch });
    case "prompted":
      return log.debug("Agent called its model.", { ...fields, ...step(entry), turn: entry.turn });
    case "replied": {
      const { turn, attempt, latencyMs, result } = entry;
      const asked = { ...fields, ...step(entry), turn, attempt, latencyMs };
      if (result.status === "ok") return log.debug("Model answered.", { ...asked, ...tokensOf(result.reply.usage) });
      return log.info("Model call failed.", { ...asked, askedAgain: entry.retryAtMs !== undefined });
    }
    case "concluded":
      return log.debug("Agent finished.", { ...fields, ...step(entry) });
    case "intent": {
      const { connection, action } = entry.frozen;
      return log.debug("Call started.", { ...fields, ...step(entry), attempt: entry.attempt, connection, action });
    }
    case "outcome": {
      const outcome = { ...fields, ...step(entry), attempt: entry.attempt, outcome: entry.result.status };
      if (entry.result.status === "unknown") return log.warn("The outcome of a call is unknown.", outcome);
      return log.debug("Call answered.", outcome);
    }
    case "node_failed":
      return log.debug("Step failed.", { ...fields, ...step(entry) });
    case "review_opened": {
      const { reviewId, kind } = entry.review;
      return log.info("Review requested.", { ...fields, ...step(entry), reviewId, kind });
    }
    case "review_closed":
      return log.info("Review closed.", { ...fields, reviewId: entry.reviewId, status: entry.answer.status });
    case "held":
      return log.warn("Run waits for a connection's authorization.", {
        ...fields,
        ...step(entry),
        connection: entry.connection,
        reason: entry.reason,
      });
    case "emitted":
      return log.debug("Event emitted.", { ...fields, ...step(entry), event: entry.event });
    case "cancel_requested":
      return log.info("Cancel requested.", { ...fields, by: entry.by });
    case "superseded":
      return log.debug("Late notification ignored.", { ...fields, effectKey: entry.effectKey });
    case "ended":
      if (entry.result.status === "completed") return log.debug("Run completed.", fields);
      return log.info("Run failed.", { ...fields, nodeId: entry.nodeId });
  }
}

function step({ nodeId, visit }: { readonly nodeId: string; readonly visit: number }) {
  return { nodeId, visit };
}

/** A log field cannot hold a list, so one text names the estimated numbers. */
function tokensOf({ inputTokens, outputTokens, estimated }: TokenUsage) {
  return { inputTokens, outputTokens, ...(estimated !== undefined && { estimated: estimated.join(", ") }) };
}
