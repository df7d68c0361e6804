import { expect, test } from "vitest";
import type { Webhook } from "../api/models.ts";
import { inOrder, stateOf } from "./webhook-state.ts";

const at = "2026-11-20T12:00:00.000Z";
const webhook = (name: string, facts: Partial<Webhook> = {}): Webhook => ({
  id: `wh_${name}`,
  name,
  url: "https://erp.example/hook",
  events: ["run_completed"],
  isActive: true,
  createdBy: "ana@acme.example",
  createdAt: at,
  ...facts,
});

test("failing webhooks come first, then inactive ones, then the others by name", () => {
  const webhooks = [
    webhook("zeta"),
    webhook("alpha"),
    webhook("off", { isActive: false }),
    webhook("late", { failingSince: at }),
  ];
  expect(inOrder(webhooks).map(({ name }) => name)).toEqual(["late", "off", "alpha", "zeta"]);
});

test("an inactive webhook that failed before is inactive", () => {
  expect(stateOf({ isActive: false, failingSince: at })).toBe("inactive");
});
