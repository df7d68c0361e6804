import type { JsonValue } from "@procedo/contract";
import { describe, expect, test } from "vitest";
import { pathsRead } from "./paths-read.ts";

describe("the paths that a template reads", () => {
  test.each<[JsonValue, readonly string[]]>([
    ["EUR", []],
    [7, []],
    [null, []],
    [{ a: ["b", { c: true }] }, []],
    ['{{ "{{ input.a }}" }}', []],
    ["{{ 1 + 2 }}", []],
    ["{{ input }}", ["input"]],
    ["{{ input.vendorId }}", ["input.vendorId"]],
    ["Pay {{ input.amount }} to {{ nodes.vendor.output.name }}", ["input.amount", "nodes.vendor.output.name"]],
    [{ to: { id: "{{ input.id }}" }, by: ["{{ run.startedBy }}"] }, ["input.id", "run.startedBy"]],
    ['{{ nodes["vendor"].output["bank code"] }}', ['nodes.vendor.output["bank code"]']],
    ["{{ input.lines[0].price }}", ["input.lines[0].price"]],
    ["{{ nodes.pay.?output.?id.orValue(input.id) }}", ["input.id", "nodes.pay.output.id"]],
    ['{{ nodes.pay[?"output"].orValue("none") }}', ["nodes.pay.output"]],
    ["{{ input.names[nodes.pick.output.index].first }}", ["input.names", "nodes.pick.output.index"]],
    ["{{ input.lines.filter(l, l.price > input.least).map(l, l.price) }}", ["input.least", "input.lines"]],
    ["{{ has(input.note) ? input.note : run.runId }}", ["input.note", "run.runId"]],
    ["{{ !(-input.a > 1 && input.b in [input.c]) }}", ["input.a", "input.b", "input.c"]],
    ['{{ {"id": input.a, input.key: 1}.id }}', ["input.a", "input.key"]],
    [
      "{{ round(decimal(input.amount) * decimal(nodes.rate.output.rate), 2) }}",
      ["input.amount", "nodes.rate.output.rate"],
    ],
    ["{{ input.a + input.a }}", ["input.a"]],
  ])("%j: %j", (template, paths) => {
    expect(pathsRead(template)).toEqual(paths);
  });

  test("is in the items of a list, not in its methods", () => {
    const list: JsonValue[] = ["{{ input.a }}"];
    Object.assign(list, { itself: list, note: "{{ input.b }}" });
    expect(pathsRead(list)).toEqual(["input.a"]);
  });

  test.each(["{{ input.a", "{{ input. }}", "{{ }}"])("is nothing if it does not parse: %j", (template) => {
    expect(pathsRead(template)).toEqual([]);
  });
});
