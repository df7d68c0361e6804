import { expect, test } from "vitest";
import { renameReads, type ReadName } from "./rename-reads.ts";

function renamed(when: string, read: ReadName, to: string): unknown {
  const document = renameReads({ nodes: [{ id: "c", kind: "condition", branches: [{ name: "x", when }] }] }, read, to);
  return (document as { readonly nodes: readonly [{ readonly branches: readonly [{ readonly when: string }] }] })
    .nodes[0].branches[0].when;
}

const large: ReadName = { kind: "branch", nodeId: "size", name: "large" };
const amount: ReadName = { kind: "input", name: "amount" };

test.each([
  ['nodes.size.output.branch == "large"', 'nodes.size.output.branch == "very large"'],
  ['string(nodes.size.output.branch) == "large"', 'string(nodes.size.output.branch) == "very large"'],
  ["'large' != nodes.size.output.branch", "'very large' != nodes.size.output.branch"],
  ['nodes.?size.?output["branch"] in ["large", "small"]', 'nodes.?size.?output["branch"] in ["very large", "small"]'],
  ['{"large": 1, "small": 2}[nodes.size.output.branch]', '{"very large": 1, "small": 2}[nodes.size.output.branch]'],
  [
    'nodes.size.output.branch == (input.a ? "large" : "b")',
    'nodes.size.output.branch == (input.a ? "very large" : "b")',
  ],
  ['nodes.?size.output.?branch.orValue("large") == "x"', 'nodes.?size.output.?branch.orValue("very large") == "x"'],
  ['nodes.?size.output.?branch.orValue("") == "large"', 'nodes.?size.output.?branch.orValue("") == "very large"'],
])("a branch is renamed where it is compared: %s", (before, after) => {
  expect(renamed(before, large, "very large")).toBe(after);
});

test.each([
  'nodes.other.output.branch == "large"',
  'input.size == "large"',
  'nodes.size.output.question == "large"',
  'nodes.size.output.branch == "larger"',
  'nodes.size.output.branch == "large',
])("another text stays: %s", (source) => {
  expect(renamed(source, large, "very large")).toBe(source);
});

test.each([
  [
    "input.amount > input.amounts && nodes.input.amount == input.x.amount",
    "total",
    "input.total > input.amounts && nodes.input.amount == input.x.amount",
  ],
  ["input . ?amount.orValue(1) > 2", "total", "input . ?total.orValue(1) > 2"],
  ["input['amount'] > input[?\"amount\"]", "total", "input['total'] > input[?\"total\"]"],
  ["input.amount > 1", "net-amount", 'input["net-amount"] > 1'],
  ["input.?amount > 1", "in", 'input[?"in"] > 1'],
  ["has(input.amount) && !has(input.b)", "net-amount", '("net-amount" in input) && !has(input.b)'],
  ["has(input.amount)", "total", "has(input.total)"],
  ["(input).amount > 1", "total", "(input).total > 1"],
  ['"input.amount" == input.name', "total", '"input.amount" == input.name'],
])("a member of the input is renamed where it is read: %s", (before, to, after) => {
  expect(renamed(before, amount, to)).toBe(after);
});

test("every expression and template of a document is renamed", () => {
  const read = "{{ input.amount }} of {{ input.payee }}";
  const document = (name: string): Parameters<typeof renameReads>[0] => ({
    reference: `{{ input.${name} }}`,
    nodes: [
      {
        id: "pay",
        kind: "tool_call",
        arguments: { lines: [read.replace("amount", name)] },
        guards: [{ check: `args.amount == input.${name}` }],
        sumLimits: [{ sum: "args.amount", when: `input.${name} > 1` }],
        emit: { name: "amount", data: { amount: `{{ input.${name} }}` } },
      },
      { id: "ask", kind: "human_review", title: `Pay {{ input.${name} }}?`, data: { amount: `{{ input.${name} }}` } },
      { id: "done", kind: "end", title: "{{ input.amount }}", output: { amount: `{{ input.${name} }}` } },
    ],
  });
  expect(renameReads(document("amount"), amount, "total")).toEqual(document("total"));
});
