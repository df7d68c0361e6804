import { expect, test } from "vitest";
import { addressIn } from "./environment-address.ts";

test.each([
  ["/sandbox", "", "/live"],
  ["/sandbox/", "", "/live"],
  ["/sandbox/runs", "?status=failed", "/live/runs?status=failed"],
  ["/sandbox/runs/new", "?procedure=pay&from=run_1", "/live/runs/new?procedure=pay"],
  ["/sandbox/reviews", "?show=all", "/live/reviews?show=all"],
  ["/audit", "?environment=sandbox&person=ana", "/audit?environment=live&person=ana"],
  ["/sandbox/procedures/pay/versions/2", "", "/live/procedures/pay/versions/2"],
  ["/sandbox/procedures/pay/compare", "?from=1&to=2", "/live/procedures/pay/compare?from=1&to=2"],
])("%s%s is the same page in the other environment", (pathname, search, address) => {
  expect(addressIn("live", { pathname, search })).toBe(address);
});

test.each([
  ["/sandbox/runs/run_1", "?step=pay.1", "/live/runs"],
  ["/sandbox/runs/run_1/record", "", "/live/runs"],
  ["/sandbox/reviews/rev_1", "", "/live/reviews"],
  ["/sandbox/webhooks/wh_1/deliveries/evt_1", "", "/live/webhooks"],
  ["/sandbox/triggers/trg_1/firings/fir_1", "", "/live/triggers"],
])("%s exists in one environment, so that the other one shows its list", (pathname, search, address) => {
  expect(addressIn("live", { pathname, search })).toBe(address);
});

test("a page of the workspace leads to the home of the environment", () => {
  expect(addressIn("live", { pathname: "/people", search: "" })).toBe("/live");
});
