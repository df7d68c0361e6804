import { expect, test } from "vitest";
import { factsOf, subjectOf, type AuditEntry } from "./change-facts.ts";
import { wordsOf } from "./change-words.ts";

const entry = (action: string, subject: string, details?: AuditEntry["details"]): AuditEntry => ({
  seq: 1,
  hash: "hash",
  at: "2026-11-26T10:00:00.000Z",
  by: "olga@acme.example",
  via: "ses_1",
  action,
  subject,
  ...(details !== undefined && { details }),
});

test("a published version is shown on the page of the version", () => {
  const { text, target } = subjectOf(entry("procedure.published", "vendor-payment@2026@1"));
  expect(text).toBe("vendor-payment@2026 1");
  expect(target).toEqual({ kind: "version", procedureId: "vendor-payment@2026", version: "1" });
});

test("a change of a person is shown by the e-mail address", () => {
  const change = entry("person.deactivated", "per_1", { email: "rita@acme.example" });
  expect(subjectOf(change)).toEqual({ text: "rita@acme.example", target: { kind: "person", personId: "per_1" } });
  expect(factsOf(change)).toEqual([]);
});

test("a change of access names what was before and after it, where it differs", () => {
  const access = { from: { sandbox: ["viewer"], live: [] }, to: { sandbox: ["viewer"], live: ["reviewer"] } };
  const facts = factsOf(entry("person.access_changed", "per_1", { email: "rita@acme.example", access }));
  expect(facts).toEqual([{ name: "Live access", before: "", value: "reviewer" }]);
});

test("the access of an invitation is told for each environment", () => {
  const details = { access: { sandbox: ["viewer"], live: ["reviewer", "viewer"] }, groups: ["treasury"] };
  expect(factsOf(entry("person.invited", "per_1", details))).toEqual([
    { name: "Sandbox access", value: "viewer" },
    { name: "Live access", value: "reviewer, viewer" },
    { name: "Groups", value: "treasury" },
  ]);
});

test("a value of any shape is told, and its digits stay", () => {
  const details = { limit: 900719925474099, deep: { a: ["x"] }, keepOldSecret: false, expiresAtMs: 1_795_000_000_000 };
  expect(factsOf(entry("webhook.rotated", "live/wh_1", details))).toEqual([
    { name: "Limit", value: "900719925474099" },
    { name: "Deep", value: '{"a":["x"]}' },
    { name: "Keep old secret", value: "no" },
    { name: "Expires at", value: "2026-11-18T11:06:40.000Z" },
  ]);
});

test("a default names its environment", () => {
  expect(factsOf(entry("procedure.default_set", "a@1", "live"))).toEqual([{ name: "In", value: "live" }]);
});

test("an action without words of its own is shown by its name", () => {
  expect(wordsOf("person.access_changed")).toBe("Access changed");
  expect(wordsOf("budget.raised_again")).toBe("budget raised again");
  expect(wordsOf("constructor")).toBe("constructor");
});
