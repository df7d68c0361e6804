import { LruCache } from "@procedo/contract/syntax";
import { ROOT_CONTEXT, SpanStatusCode, trace, type Context, type Span, type Tracer } from "@opentelemetry/api";
import type { Entry, TokenUsage } from "@procedo/procedure";
import type { Observe } from "@procedo/engine";

/** A run's span and its open step spans, by node and visit. */
interface OpenRun {
  readonly span: Span;
  readonly context: Context;
  readonly steps: Map<string, Span>;
}

/** Open runs with a span, at most: runs may wait for days. Beyond it, the span of the longest idle run is ended. */
const maxOpenRuns = 10_000;

/**
 * Creates one span per run, with a child span for each call, model reply, review and condition. Timestamps come from
 * the journal. The span of a run that was taken over from another process starts at the takeover. Spans hold ids and
 * names, never inputs or outputs.
 */
export function createRunSpans(tracer: Tracer): Observe {
  const open = new LruCache<string, OpenRun>(maxOpenRuns);

  const begin = (run: Parameters<Observe>[0], atMs: number): OpenRun | undefined => {
    const known = open.get(run.runId);
    if (known !== undefined) return known;
    const attributes = {
      "procedo.run_id": run.runId,
      "procedo.procedure_id": run.procedureId,
      "procedo.procedure_version": run.procedureVersion,
      "procedo.environment": run.environment,
    };
    const startTime = new Date(atMs);
    const span = tracer.startSpan(`run ${run.procedureId}`, { startTime, attributes }, ROOT_CONTEXT);
    // The span is not recorded, so it needs no state.
    if (!span.isRecording()) return undefined;
    const begun = { span, context: trace.setSpan(ROOT_CONTEXT, span), steps: new Map<string, Span>() };
    for (const evicted of open.set(run.runId, begun)) end(evicted, atMs);
    return begun;
  };

  return (run, entries) => {
    for (const entry of entries) {
      const begun = begin(run, entry.atMs);
      if (begun === undefined) return;
      tell(tracer, begun, entry);
      if (entry.type === "ended") open.delete(run.runId);
    }
  };
}

function tell(tracer: Tracer, run: OpenRun, entry: Entry): void {
  const start = (key: string, name: string, attributes: Record<string, string | number>): void => {
    run.steps.get(key)?.end(new Date(entry.atMs));
    run.steps.set(key, tracer.startSpan(name, { startTime: new Date(entry.atMs), attributes }, run.context));
  };
  const finish = (key: string, outcome: string, failed: boolean): void => {
    const span = run.steps.get(key);
    span?.setAttribute("procedo.outcome", outcome);
    if (failed) span?.setStatus({ code: SpanStatusCode.ERROR });
    span?.end(new Date(entry.atMs));
    run.steps.delete(key);
  };
  switch (entry.type) {
    case "intent": {
      const { connection, action } = entry.frozen;
      const call = { "procedo.attempt": entry.attempt, "procedo.connection": connection, "procedo.action": action };
      start(callOf(entry), `tool_call ${entry.nodeId}`, { ...node(entry), ...call });
      break;
    }
    case "outcome":
      finish(callOf(entry), entry.result.status, entry.result.status !== "ok");
      break;
    case "branch_taken":
      start(entry.nodeId, `condition ${entry.nodeId}`, { ...node(entry), "procedo.branch": entry.branch });
      finish(entry.nodeId, "ok", false);
      break;
    case "replied": {
      const { turn, attempt, latencyMs, result } = entry;
      const asked = { ...node(entry), "procedo.turn": turn, "procedo.attempt": attempt };
      const startTime = new Date(entry.atMs - latencyMs);
      const span = tracer.startSpan(`model ${entry.nodeId}`, { startTime, attributes: asked }, run.context);
      run.steps.set(`model/${entry.nodeId}`, span);
      if (result.status === "ok") span.setAttributes(tokensOf(result.reply.usage));
      finish(`model/${entry.nodeId}`, result.status, result.status === "error");
      break;
    }
    case "node_failed":
      start(entry.nodeId, `${entry.kind} ${entry.nodeId}`, node(entry));
      finish(entry.nodeId, "error", true);
      break;
    case "review_opened": {
      const { reviewId, kind } = entry.review;
      const review = { "procedo.review_id": reviewId, "procedo.review_kind": kind };
      start(reviewId, `review ${entry.nodeId}`, { ...node(entry), ...review });
      break;
    }
    case "review_closed":
      finish(entry.reviewId, entry.answer.status, false);
      break;
    case "recovered":
    case "cancel_requested":
    case "superseded":
      run.span.addEvent(entry.type, {}, new Date(entry.atMs));
      break;
    case "held":
      run.span.addEvent(entry.type, node(entry), new Date(entry.atMs));
      break;
    case "emitted":
      run.span.addEvent(entry.event, node(entry), new Date(entry.atMs));
      break;
    case "ended":
      run.span.setAttribute("procedo.outcome", entry.result.status);
      if (entry.result.status === "failed") run.span.setStatus({ code: SpanStatusCode.ERROR });
      end(run, entry.atMs);
      break;
    case "started":
    case "prompted":
    case "concluded":
      break;
  }
}

/** Attribute names of OpenTelemetry. */
function tokensOf({ inputTokens, outputTokens }: TokenUsage): Record<string, number> {
  return { "gen_ai.usage.input_tokens": inputTokens, "gen_ai.usage.output_tokens": outputTokens };
}

function end({ span, steps }: OpenRun, atMs: number): void {
  for (const step of steps.values()) step.end(new Date(atMs));
  span.end(new Date(atMs));
}

function callOf({ nodeId, visit, call }: { nodeId: string; visit: number; call: number }): string {
  return `${nodeId}/${visit}/${call}`;
}

function node({ nodeId, visit }: { readonly nodeId: string; readonly visit: number }): Record<string, string | number> {
  return { "procedo.node_id": nodeId, "procedo.visit": visit };
}
