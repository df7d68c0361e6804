import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
  type ReadableSpan,
} from "@opentelemetry/sdk-trace-base";
import { expect, test } from "vitest";
import { entries, payload, run } from "./run-entries.fixture.ts";
import { createRunSpans } from "./run-spans.ts";

function collect() {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  return { observe: createRunSpans(provider.getTracer("test")), spans: () => exporter.getFinishedSpans() };
}

/** `SpanStatusCode.ERROR`; the SDK bundles its own copy of the API. */
const error = 2;
const milliseconds = ([seconds, nanoseconds]: ReadableSpan["startTime"]) => seconds * 1_000 + nanoseconds / 1e6;

test("a run is a span with its steps inside, at the times of the journal", () => {
  const { observe, spans } = collect();
  for (const entry of entries) observe(run, [entry]);
  const root = spans().find(({ name }) => name === "run vendor-payment");
  const from = milliseconds(root?.startTime ?? [0, 0]);
  const reported = spans().map((span) => ({
    name: span.name,
    at: milliseconds(span.startTime) - from,
    took: milliseconds(span.endTime) - milliseconds(span.startTime),
    inRun: span.parentSpanContext?.spanId === root?.spanContext().spanId,
    failed: Number(span.status.code) === error,
  }));
  expect(from).toBe(Date.parse(run.createdAt));
  expect(reported).toEqual([
    { name: "condition size", at: 1, took: 0, inRun: true, failed: false },
    { name: "model pay", at: 0, took: 1, inRun: true, failed: true },
    { name: "model pay", at: 1, took: 1, inRun: true, failed: false },
    { name: "tool_call pay", at: 2, took: 10, inRun: true, failed: true },
    { name: "review pay", at: 12, took: 38, inRun: true, failed: false },
    { name: "end end", at: 51, took: 0, inRun: true, failed: true },
    { name: "run vendor-payment", at: 0, took: 51, inRun: false, failed: true },
  ]);
  expect(root?.attributes).toMatchObject({ "procedo.run_id": "run_1", "procedo.environment": "sandbox" });
  expect(root?.events.map(({ name }) => name)).toEqual(["custom.paid"]);
});

test("neither inputs nor outputs nor messages are in a span", () => {
  const { observe, spans } = collect();
  observe(run, entries);
  const reported = spans().map(({ name, attributes, events, status }) => ({ name, attributes, events, status }));
  expect(reported).toHaveLength(7);
  expect(JSON.stringify(reported)).not.toContain(payload);
});

test("the span of a run that was taken over starts at the takeover", () => {
  const { observe, spans } = collect();
  observe(run, [{ type: "recovered", atMs: Date.parse(run.createdAt) + 9, workerId: "wrk_2", epoch: 2 }]);
  observe(run, entries.slice(-1));
  expect(spans().map(({ name, events }) => [name, events.map((event) => event.name)])).toEqual([
    ["run vendor-payment", ["recovered"]],
  ]);
});

test("a step that is still open when its run ends is ended with it", () => {
  const { observe, spans } = collect();
  const intent = entries.filter(({ type }) => type === "intent");
  observe(run, [...intent, ...entries.slice(-1)]);
  expect(spans().map(({ name }) => name)).toEqual(["tool_call pay", "run vendor-payment"]);
});
