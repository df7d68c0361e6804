import { assertType, expectTypeOf, test } from "vitest";
import type { ParsedStartRunRequest } from "./start-run.ts";
import type { RunReply, StartRunRequest, SyncRunReply } from "./start-run-types.ts";
import type { Run } from "./run-types.ts";
import type { JsonObject } from "./json.ts";

test("an answer narrows by status", () => {
  const read = (reply: RunReply): string => {
    switch (reply.status) {
      case "completed":
        expectTypeOf(reply.output).toEqualTypeOf<JsonObject>();
        return reply.completedAt;
      case "failed":
        return reply.error;
      case "timeout":
        return reply.error + reply.statusUrl;
      case "running":
      case "awaiting_review":
        // @ts-expect-error a pending state is not a result
        void reply.output;
        return reply.statusUrl;
    }
  };
  expectTypeOf(read).returns.toBeString();
  expectTypeOf<SyncRunReply["status"]>().toEqualTypeOf<"completed" | "failed" | "awaiting_review" | "timeout">();
});

test("a polled run narrows by status, and is never timeout", () => {
  expectTypeOf<Run["status"]>().toEqualTypeOf<"running" | "awaiting_review" | "completed" | "failed">();
  expectTypeOf<Extract<Run, { status: "completed" }>["output"]>().toEqualTypeOf<JsonObject>();
  expectTypeOf<Extract<Run, { status: "failed" }>["error"]>().toBeString();
});

test("a request is sent without the fields that have a default, and parsed with them", () => {
  assertType<StartRunRequest>({ data: {} });
  assertType<StartRunRequest>({ data: {}, control: { executionMode: "sync" } });
  // @ts-expect-error data is required
  assertType<StartRunRequest>({});
  expectTypeOf<ParsedStartRunRequest["control"]["executionTimeout"]>().toBeNumber();
});
