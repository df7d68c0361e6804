import type { Connection } from "@procedo/engine";
import { expect, test } from "vitest";
import { createMetrics } from "./metrics.ts";
import { entries, payload, run } from "./run-entries.fixture.ts";

type Measured = Parameters<typeof createMetrics>[0];
type Runs = Measured["runs"];
type List = Runs["list"];
type RunRow = Awaited<ReturnType<List>>["items"][number];

/** Pages through the given number of runs per environment and status; reports the given number of quarantined runs. */
function runsOf(count: number, quarantined = 0): Runs {
  const rows = Array.from({ length: count }, () => ({}) as RunRow);
  return {
    quarantinedRuns: () =>
      Array.from({ length: quarantined }, (_, number) => ({ runId: `run-${number}`, error: "", atMs: 0 })),
    list: async ({ limit, cursor = "0" }) => {
      const from = Number(cursor);
      const next = from + limit < rows.length ? String(from + limit) : undefined;
      return { items: rows.slice(from, from + limit), nextCursor: next };
    },
  };
}

/** An engine with this number of runs, and without connections. */
function engineOf(count: number, quarantined = 0): Measured {
  return {
    runs: runsOf(count, quarantined),
    connections: { list: async () => ({ items: [], nextCursor: undefined }) },
  };
}

test("runs, steps, model replies and reviews are counted from durable records", async () => {
  const metrics = createMetrics(engineOf(0));
  metrics.observeRun(run, entries);
  const text = await metrics.text();
  for (const line of [
    'procedo_runs_started_total{procedure="vendor-payment",environment="sandbox"} 1',
    'procedo_runs_ended_total{procedure="vendor-payment",environment="sandbox",status="failed"} 1',
    'procedo_steps_total{kind="condition",outcome="ok"} 1',
    'procedo_steps_total{kind="tool_call",outcome="unknown"} 1',
    'procedo_steps_total{kind="end",outcome="error"} 1',
    'procedo_model_call_duration_seconds_count{procedure="vendor-payment",outcome="error"} 1',
    'procedo_model_call_duration_seconds_count{procedure="vendor-payment",outcome="ok"} 1',
    'procedo_model_tokens_total{procedure="vendor-payment",direction="input"} 100',
    'procedo_model_tokens_total{procedure="vendor-payment",direction="output"} 20',
    'procedo_reviews_total{status="opened"} 1',
    'procedo_reviews_total{status="approved"} 1',
  ]) {
    expect(text.split("\n")).toContain(line);
  }
  expect(text).not.toContain(payload);
});

test("quarantined runs are counted as they are at each scrape", async () => {
  expect((await createMetrics(engineOf(0, 2)).text()).split("\n")).toContain("procedo_runs_quarantined 2");
});

test("requests are timed by operation and status", async () => {
  const metrics = createMetrics(engineOf(0));
  metrics.observeRequest({ operation: "startRun", status: 202, durationMs: 4 });
  metrics.observeRequest({ operation: "startRun", status: 202, durationMs: 40 });
  const lines = (await metrics.text()).split("\n");
  const series = 'procedo_http_request_duration_seconds_bucket{le="0.005",operation="startRun",status="202"}';
  expect(lines).toContain(`${series} 1`);
  expect(lines).toContain('procedo_http_request_duration_seconds_count{operation="startRun",status="202"} 2');
  expect(lines.some((line) => line.startsWith("nodejs_eventloop_lag_seconds "))).toBe(true);
});

test("webhook delivery attempts are counted by result", async () => {
  const metrics = createMetrics(engineOf(0));
  metrics.observeDelivery("retried");
  metrics.observeDelivery("delivered");
  const lines = (await metrics.text()).split("\n");
  expect(lines).toContain('procedo_webhook_attempts_total{outcome="retried"} 1');
  expect(lines).toContain('procedo_webhook_attempts_total{outcome="delivered"} 1');
});

test("occurrences of triggers are counted by their end and its reason, and starts by their delay", async () => {
  const metrics = createMetrics(engineOf(0));
  metrics.observeFiring({ status: "started", triggerId: "trg_1", lateMs: 200 });
  metrics.observeFiring({ status: "started", triggerId: "trg_1", lateMs: undefined });
  metrics.observeFiring({ status: "skipped", reason: "missed", count: 3 });
  metrics.observeFiring({ status: "failed", reason: "mapping_failed", triggerId: "trg_1" });
  const lines = (await metrics.text()).split("\n");
  for (const line of [
    'procedo_trigger_firings_total{status="started"} 2',
    'procedo_trigger_firings_total{status="skipped"} 3',
    'procedo_trigger_skipped_total{reason="missed"} 3',
    'procedo_trigger_failed_total{reason="mapping_failed"} 1',
    'procedo_trigger_lateness_seconds_bucket{le="0.25"} 1',
    "procedo_trigger_lateness_seconds_count 1",
  ]) {
    expect(lines).toContain(line);
  }
});

test("requests to inbound addresses are counted by status, and no other requests", async () => {
  const metrics = createMetrics(engineOf(0));
  metrics.observeRequest({ operation: "receiveEvents", status: 401, durationMs: 4 });
  metrics.observeRequest({ operation: "startRun", status: 202, durationMs: 4 });
  const lines = (await metrics.text()).split("\n").filter((line) => line.startsWith("procedo_inbound_requests_total"));
  expect(lines).toEqual(['procedo_inbound_requests_total{status="401"} 1']);
});

test("open runs are those of storage, over all pages, up to a bound", async () => {
  const open = 'procedo_runs_open{environment="live",status="awaiting_review"}';
  expect((await createMetrics(engineOf(2_500)).text()).split("\n")).toContain(`${open} 2500`);
  expect((await createMetrics(engineOf(1_000_000)).text()).split("\n")).toContain(`${open} 10000`);
});

test("two servers in one process have separate counts", async () => {
  const [first, second] = [createMetrics(engineOf(0)), createMetrics(engineOf(0))];
  first.observeRun(run, entries);
  expect(await second.text()).not.toContain("procedo_runs_started_total{");
});

test("connections that need a person are counted by health in each environment, over all pages", async () => {
  const statuses = ["ok", "failing", "needs_authorization", "unknown", "failing", "unconfirmed"] as const;
  const items = statuses.map((status) => ({ health: { status } }) as Connection);
  const list: Measured["connections"]["list"] = async ({ environment, cursor }) =>
    environment === "live" || cursor === "last"
      ? { items: items.slice(0, 2), nextCursor: undefined }
      : { items, nextCursor: "last" };
  const lines = (await createMetrics({ runs: runsOf(0), connections: { list } }).text()).split("\n");
  const series = "procedo_connections_needing_attention";
  for (const [environment, health, count] of [
    ["sandbox", "failing", 3],
    ["sandbox", "needs_authorization", 1],
    ["sandbox", "unconfirmed", 1],
    ["live", "failing", 1],
    ["live", "needs_authorization", 0],
  ] as const) {
    expect(lines).toContain(`${series}{environment="${environment}",health="${health}"} ${count}`);
  }
});
