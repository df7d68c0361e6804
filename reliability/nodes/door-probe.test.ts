import { expect, test } from "vitest";
import { faultOf } from "./door-probe.ts";

test.each([
  { status: 200, text: "{}", retryAfter: null },
  { status: 202, text: "{}", retryAfter: null },
  { status: 503, text: "{}", retryAfter: "2" },
])("$status with Retry-After $retryAfter is correct", (answer) => {
  expect(faultOf("/runs", answer)).toBeUndefined();
});

test.each([
  { status: 500, text: "{}", retryAfter: null },
  { status: 404, text: "no such run", retryAfter: null },
  { status: 401, text: "{}", retryAfter: "2" },
  { status: 503, text: "{}", retryAfter: null },
])("$status with Retry-After $retryAfter is reported as a fault", (answer) => {
  expect(faultOf("/runs", answer)).toContain(`/runs answered ${answer.status}`);
});
