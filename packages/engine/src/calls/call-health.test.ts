import { expect, test } from "vitest";
import { ActionError } from "../integrations/action-error.ts";
import { EgressError, type EgressFailure } from "../egress/egress-error.ts";
import { reportFailure } from "./call-health.ts";

const request = { method: "GET", url: "https://x.test", headers: {} };
const answered = (status: number) =>
  new ActionError("no", { exchange: { request, response: { status, headers: {} } } });
const lost = (failure: EgressFailure) => new EgressError(failure, "no way", { sent: "no" });

function reported(error: unknown): string {
  let said = "nothing";
  reportFailure({ answered: () => (said = "answered"), failed: () => (said = "failed") }, error);
  return said;
}

test.each<[string, unknown]>([
  ["answered", answered(404)],
  ["answered", answered(429)],
  ["failed", answered(401)],
  ["failed", answered(403)],
  ["failed", answered(535)],
  ["nothing", answered(503)],
  ["failed", lost("connect")],
  ["failed", lost("dns")],
  ["failed", lost("tls")],
  ["failed", lost("destination")],
  ["failed", new ActionError("no", { cause: lost("connect") })],
  ["nothing", lost("timeout")],
  ["nothing", lost("withheld")],
  ["nothing", new Error("no")],
  ["nothing", undefined],
])("a connection is %s by a failed call: %s", (expected, error) => {
  expect(reported(error)).toBe(expected);
});
