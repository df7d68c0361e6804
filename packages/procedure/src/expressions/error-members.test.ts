import { describe, expect, test } from "vitest";
import { compileTemplate } from "./compile-template.ts";
import { callsTypes, problemsOf, sampleScope, sampleTypes, valueOf } from "./sample-scope.ts";

describe("the error of a refused call", () => {
  test.each([
    ["nodes.lookup.error", "not found"],
    ["nodes.lookup.error.message", "not found"],
    ["nodes.lookup.error.status", 404],
    ["nodes.lookup.error.status in [404, 410]", true],
    ["nodes.lookup.error.reason", "No such vendor."],
    ['nodes.lookup.error.reason.contains("vendor")', true],
    ['nodes.lookup.error.body.code == "vendor_unknown"', true],
    ['nodes.lookup["error"]["status"]', 404],
    ['nodes.lookup.error.?body.?hint.orValue("none")', "none"],
    ["has(nodes.lookup.error.status)", true],
    ["nodes.lookup.?error.?status.orValue(1)", 404],
    ['nodes.lookup.error.startsWith("not")', true],
    ['nodes.lookup.error + "!"', "not found!"],
  ])("%s is %j", (source, value) => {
    expect(valueOf(source)).toBe(value);
  });

  test("is its message within a text, and on its own", () => {
    const compiled = compileTemplate(
      { why: "{{ nodes.lookup.error }}", text: "{{ nodes.lookup.error.status }}: {{ nodes.lookup.error }}" },
      sampleTypes,
    );
    const rendered = compiled.ok && compiled.template.render(sampleScope({}));
    expect(rendered).toEqual({ ok: true, value: { why: "not found", text: "404: not found" } });
  });
});

describe("an error without an answer", () => {
  test.each([
    ["nodes.timeout.error.status", 0],
    ["nodes.timeout.error.status == 404", false],
    ["nodes.timeout.error.status >= 500", false],
    ["nodes.timeout.error.reason", ""],
    ["nodes.timeout.error.body", null],
    ["nodes.timeout.error.body.?code.orValue(1)", 1],
  ])("fails no condition: %s is %j", (source, value) => {
    expect(valueOf(source)).toBe(value);
  });

  test("is absent if nothing failed, or nothing was called", () => {
    expect(() => valueOf("nodes.vendor.error.status")).toThrow('nodes.vendor has no field "error"');
    expect(() => valueOf("nodes.pay.error.status")).toThrow("the node was not visited");
    expect(valueOf("nodes.vendor.?error.?status.orValue(200)")).toBe(200);
    expect(valueOf("has(nodes.pay.error)")).toBe(false);
  });
});

describe("a missing member of an error is found when the version is published", () => {
  test.each([
    ["nodes.lookup.error.stauts == 404", 'nodes.lookup.error has no field "stauts"; did you mean "status"?'],
    ["nodes.lookup.error.code == 404", 'nodes.lookup.error has no field "code"'],
    ['nodes.lookup.error["satus"] == 404', 'has no field "satus"'],
    ['nodes.lookup.error.status == "404"', "compares a number with text"],
    ["nodes.lookup.error.status.contains('4')", "contains takes text"],
    ["[nodes.lookup.error][0].status", "is text and has no field"],
    ["(input.urgent ? nodes.lookup.error : nodes.pay.error).status", "is text and has no field"],
  ])("%s", (source, problem) => {
    expect(problemsOf(source)).toContain(problem);
  });

  test.each(["nodes.lookup.error.status == 404", "nodes.lookup.error.reason != '' ? 1 : 2"])(
    "%s is valid",
    (source) => {
      expect(problemsOf(source)).toBe("");
    },
  );
});

test("a failed call of several has the same members", () => {
  expect(problemsOf("nodes.pay.output.calls.exists(c, c.error.status == 402)", callsTypes)).toBe("");
  expect(problemsOf("nodes.pay.output.calls.exists(c, c.error.stat == 402)", callsTypes)).toContain('no field "stat"');
});

test("the errors of several calls have no members of their own in a list of errors", () => {
  const source = "nodes.pay.output.calls.map(c, c.error)[0].status == 402";
  expect(problemsOf(source, callsTypes)).toContain("is text and has no field");
});
