import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import { environments, type Environment } from "@procedo/contract";
import type { Connection, Engine, Observe } from "@procedo/engine";
import type { Entry } from "@procedo/procedure";
import type { DeliveryOutcome } from "./watch-deliveries.ts";
import type { FiringOutcome } from "./watch-firings.ts";

/** An answered request, as counted by metrics. */
export interface AnsweredRequest {
  /** Name of the operation. A path is unsuitable because it contains ids. */
  readonly operation: string;
  readonly status: number;
  readonly durationMs: number;
}

/** The values behind `/metrics`. */
export interface Metrics {
  readonly observeRun: Observe;
  readonly observeRequest: (request: AnsweredRequest) => void;
  readonly observeDelivery: (outcome: DeliveryOutcome) => void;
  readonly observeFiring: (outcome: FiringOutcome) => void;
  /** In the Prometheus text format. */
  text(): Promise<string>;
  readonly contentType: string;
}

/** What is read at each scrape. */
export interface MeasuredEngine {
  readonly runs: Pick<Engine["runs"], "list" | "quarantinedRuns">;
  readonly connections: Pick<Engine["connections"], "list">;
}

/** Open runs are counted by reading them. The gauge stops at this value. */
const maxCounted = 10_000;
const pageSize = 1_000;
/** Connections are examined up to this number. */
const maxConnections = 1_000;
const connectionsAtOnce = 100;

/** The operation of requests to inbound addresses. */
const inboundOperation = "receiveEvents";

/**
 * Counts events since the start of this process. The numbers of open runs and of connections come from storage and cover all
 * processes.
 */
export function createMetrics({ runs, connections }: MeasuredEngine): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });

  const requests = new Histogram({
    name: "procedo_http_request_duration_seconds",
    help: "Time from a request's headers to its answer, by operation and status.",
    labelNames: ["operation", "status"],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300],
    registers,
  });
  const started = new Counter({
    name: "procedo_runs_started_total",
    help: "Runs started.",
    labelNames: ["procedure", "environment"],
    registers,
  });
  const ended = new Counter({
    name: "procedo_runs_ended_total",
    help: "Runs that ended in this process, by status: completed or failed.",
    labelNames: ["procedure", "environment", "status"],
    registers,
  });
  const steps = new Counter({
    name: "procedo_steps_total",
    help: "Steps, by kind of node and outcome. Each attempt of a call counts.",
    labelNames: ["kind", "outcome"],
    registers,
  });
  const reviews = new Counter({
    name: "procedo_reviews_total",
    help: "Reviews, by event: opened, or the status with which they closed.",
    labelNames: ["status"],
    registers,
  });
  const modelCalls = new Histogram({
    name: "procedo_model_call_duration_seconds",
    help: "Latency of models, by procedure and outcome: ok or error. Each attempt counts.",
    labelNames: ["procedure", "outcome"],
    buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 120, 300],
    registers,
  });
  const tokens = new Counter({
    name: "procedo_model_tokens_total",
    help: "Tokens reported by providers, otherwise estimated, by procedure and direction: input or output.",
    labelNames: ["procedure", "direction"],
    registers,
  });
  const deliveries = new Counter({
    name: "procedo_webhook_attempts_total",
    help: "Webhook delivery attempts, by result: delivered, retried later, or failed for good.",
    labelNames: ["outcome"],
    registers,
  });
  const firings = new Counter({
    name: "procedo_trigger_firings_total",
    help: "Occurrences of triggers that ended in this process, by status: started, skipped or failed.",
    labelNames: ["status"],
    registers,
  });
  const skipped = new Counter({
    name: "procedo_trigger_skipped_total",
    help: "Skipped occurrences of triggers, by reason, such as overlap or missed.",
    labelNames: ["reason"],
    registers,
  });
  const failed = new Counter({
    name: "procedo_trigger_failed_total",
    help: "Failed occurrences of triggers, by reason, such as mapping_failed.",
    labelNames: ["reason"],
    registers,
  });
  const lateness = new Histogram({
    name: "procedo_trigger_lateness_seconds",
    help: "Time from the nominal time of a schedule, or the arrival of an event, to the start of its run.",
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3_600],
    registers,
  });
  const inbound = new Counter({
    name: "procedo_inbound_requests_total",
    help: "Requests to inbound addresses, by status of the answer.",
    labelNames: ["status"],
    registers,
  });
  const open = new Gauge({
    name: "procedo_runs_open",
    help: `Runs that have not ended, of all processes on this storage; at most ${maxCounted} are counted.`,
    labelNames: ["environment", "status"],
    registers,
    collect: async () => {
      for (const environment of environments) {
        for (const status of ["running", "awaiting_review"] as const) {
          open.set({ environment, status }, await countRuns(runs, { environment, status }));
        }
      }
    },
  });
  const troubled = new Gauge({
    name: "procedo_connections_needing_attention",
    help: `Connections for which a person has to do something, by health; the first ${maxConnections} are examined.`,
    labelNames: ["environment", "health"],
    registers,
    collect: async () => {
      for (const environment of environments) {
        const found = await healths(connections, environment);
        for (const health of ["failing", "unconfirmed", "needs_authorization"] as const) {
          troubled.set({ environment, health }, found.filter((one) => one === health).length);
        }
      }
    },
  });
  new Gauge({
    name: "procedo_runs_quarantined",
    help: "Runs that this process owns but does not execute. The log has an error with the reason for each.",
    registers,
    collect() {
      this.set(runs.quarantinedRuns().length);
    },
  });

  const count = ({ procedureId: procedure, environment }: Parameters<Observe>[0], entry: Entry): void => {
    switch (entry.type) {
      case "started":
        return started.inc({ procedure, environment });
      case "branch_taken":
        return steps.inc({ kind: "condition", outcome: "ok" });
      case "outcome":
        return steps.inc({ kind: "tool_call", outcome: entry.result.status });
      case "replied": {
        const { result, latencyMs } = entry;
        modelCalls.observe({ procedure, outcome: result.status }, latencyMs / 1_000);
        if (result.status === "error") return;
        tokens.inc({ procedure, direction: "input" }, result.reply.usage.inputTokens);
        return tokens.inc({ procedure, direction: "output" }, result.reply.usage.outputTokens);
      }
      case "node_failed":
        return steps.inc({ kind: entry.kind, outcome: "error" });
      case "review_opened":
        return reviews.inc({ status: "opened" });
      case "review_closed":
        return reviews.inc({ status: entry.answer.status });
      case "ended":
        return ended.inc({ procedure, environment, status: entry.result.status });
      case "recovered":
      case "prompted":
      case "concluded":
      case "intent":
      case "held":
      case "emitted":
      case "cancel_requested":
      case "superseded":
        return;
    }
  };

  /** Concurrent scrapes share one result: counting is expensive, and anyone who can reach the port may scrape. */
  let scrape: Promise<string> | undefined;

  return {
    observeRun: (run, entries) => {
      for (const entry of entries) count(run, entry);
    },
    observeRequest: ({ operation, status, durationMs }) => {
      requests.observe({ operation, status: String(status) }, durationMs / 1_000);
      if (operation === inboundOperation) inbound.inc({ status: String(status) });
    },
    observeDelivery: (outcome) => deliveries.inc({ outcome }),
    observeFiring: (outcome) => {
      const { status } = outcome;
      firings.inc({ status }, status === "skipped" ? outcome.count : 1);
      if (status === "skipped") skipped.inc({ reason: outcome.reason }, outcome.count);
      if (status === "failed") failed.inc({ reason: outcome.reason });
      if (status === "started" && outcome.lateMs !== undefined) lateness.observe(outcome.lateMs / 1_000);
    },
    text: () => (scrape ??= registry.metrics().finally(() => (scrape = undefined))),
    contentType: registry.contentType,
  };
}

async function healths(
  connections: Pick<Engine["connections"], "list">,
  environment: Environment,
): Promise<readonly Connection["health"]["status"][]> {
  const found: Connection["health"]["status"][] = [];
  let cursor: string | undefined;
  do {
    const request = { environment, limit: connectionsAtOnce, ...(cursor !== undefined && { cursor }) };
    const page = await connections.list(request);
    found.push(...page.items.map(({ health }) => health.status));
    cursor = page.nextCursor;
  } while (cursor !== undefined && found.length < maxConnections);
  return found;
}

type OpenQuery = Pick<Parameters<Engine["runs"]["list"]>[0], "environment" | "status">;

async function countRuns(runs: Pick<Engine["runs"], "list">, query: OpenQuery): Promise<number> {
  let counted = 0;
  let cursor: string | undefined;
  do {
    const page = await runs.list({ ...query, limit: pageSize, ...(cursor === undefined ? {} : { cursor }) });
    counted += page.items.length;
    cursor = page.nextCursor;
  } while (cursor !== undefined && counted < maxCounted);
  return counted;
}
