import { expect, test } from "vitest";
import type { Integration } from "../api/models.ts";
import { kindOptions } from "./kinds.ts";

const integration = (id: string, title: string, facts: Partial<Integration> = {}): Integration => ({
  id,
  title,
  kind: "coded",
  needsConnection: true,
  settings: {},
  secrets: [],
  authentication: [],
  oauth: false,
  events: [],
  ...facts,
});

const all = [
  integration("clock", "Clock", { needsConnection: false }),
  integration("private_connection", "Private Connection", { kind: "private" }),
  integration("xero", "Xero", { category: "accounting", oauth: true }),
  integration("stripe", "Stripe", { category: "payments" }),
  integration("custom_api", "Custom API", { kind: "documented" }),
];

const found = (text: string, chosen = ""): readonly string[] =>
  kindOptions(all, { text, chosen }).map(({ value }) => value);

test("the kinds for any service come first; what needs no connection is left out", () => {
  expect(found("")).toEqual(["custom_api", "private_connection", "stripe", "xero"]);
});

test("a text finds kinds by their title and purpose, and the chosen one stays", () => {
  expect(found("payments")).toEqual(["stripe"]);
  expect(found("XERO", "custom_api")).toEqual(["custom_api", "xero"]);
});

test("a kind says what it is for, and whether a person authorizes it in a browser", () => {
  const hints = Object.fromEntries(kindOptions(all, { text: "", chosen: "" }).map(({ value, hint }) => [value, hint]));
  expect(hints).toMatchObject({ stripe: "Payments.", xero: "Accounting. Authorized in a browser." });
});
