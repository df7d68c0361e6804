import { expect, test } from "vitest";
import { formField } from "../forms/form-field.ts";
import { plainLabel, withPlainLabels } from "./plain-label.ts";

test.each([
  ["tokenUrl", "Token URL"],
  ["clientId", "Client ID"],
  ["apiKey", "API key"],
  ["webhookSecret", "Webhook secret"],
  ["idempotencyKeyTtlMs", "Idempotency key lifetime (ms)"],
  ["custom_field", "Custom field"],
  ["host", "Host"],
  ["item:main", "item:main"],
])("the label of %s is %s", (name, label) => {
  expect(plainLabel(name)).toBe(label);
});

test("a title of the schema stays the label", () => {
  const schema = {
    type: "object",
    properties: { fromName: { type: "string" }, replyTo: { type: "string", title: "Answers go to" } },
  };
  const field = withPlainLabels(formField(schema, "settings", true));
  expect(field.kind === "object" && field.members.map(([, { label }]) => label)).toEqual([
    "From name",
    "Answers go to",
  ]);
});
