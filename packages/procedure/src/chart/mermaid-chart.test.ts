import fc from "fast-check";
import { expect, test } from "vitest";
import { vendorPayment } from "../../test/vendor-payment.ts";
import { mermaidChart, type ChartedStep } from "./mermaid-chart.ts";

test("a document is a flowchart of its nodes and edges, with their details and branches", () => {
  expect(mermaidChart(vendorPayment()).split("\n")).toEqual([
    "flowchart TD",
    '  n0(["start"])',
    '  n1["Look up the vendor<br/>ledger#58; get_vendors_id"]',
    '  n2{"size"}',
    expect.stringMatching(/^ {2}n3\[\/"Pay #123;#123; input\.amount .*#63;"\/\]$/),
    expect.stringMatching(/^ {2}n4\["pay<br\/>ledger#58; post_payments"\]$/),
    '  n5(["done"])',
    '  n6(["refused"])',
    "  n0 --> n1",
    "  n1 --> n2",
    '  n2 -->|"large"| n3',
    '  n2 -->|"normal"| n4',
    "  n3 --> n4",
    "  n4 --> n5",
    '  n4 -->|"error"| n6',
    "",
  ]);
});

test("a run's path marks visited nodes and taken edges, and the place where it waits or failed", () => {
  const steps: readonly ChartedStep[] = [
    { nodeId: "start", status: "completed" },
    { nodeId: "vendor", status: "completed", output: { name: "x" } },
    { nodeId: "size", status: "completed", output: { branch: "large" } },
    { nodeId: "approve", status: "awaiting_review" },
  ];
  const waiting = mermaidChart(vendorPayment(), steps);
  expect(waiting).toMatch(/n3\[\/"Pay .*<br\/>awaiting review"\/\]:::awaiting_review/);
  expect(waiting).toContain('n2{"size"}:::completed');
  expect(waiting).toContain("  linkStyle 0,1,2 stroke-width:4px\n");
  const failed = mermaidChart(vendorPayment(), [
    ...steps.slice(0, 3),
    { nodeId: "approve", status: "completed" },
    { nodeId: "pay", status: "failed" },
    { nodeId: "refused", status: "completed" },
  ]);
  expect(failed).toContain('<br/>failed"]:::failed');
  expect(failed).toContain("  linkStyle 0,1,2,4,6 stroke-width:4px\n");
});

test("marks only the taken one of two branches to the same node, and counts a node's visits", () => {
  const document = {
    nodes: [
      {
        id: "a",
        kind: "condition" as const,
        branches: [
          { name: "x", when: "true" },
          { name: "y", when: "true" },
        ],
        otherwise: "z",
      },
      { id: "b", kind: "tool_call" as const, connection: "c", action: "d" },
      { id: "e", kind: "end" as const },
    ],
    edges: [
      { from: "a", to: "b", branch: "x" },
      { from: "a", to: "b", branch: "y" },
      { from: "b", to: "a" },
      { from: "b", to: "e", branch: "error" },
      { from: "b", to: "e", branch: "rejected" },
    ],
  };
  const chart = mermaidChart(document, [
    { nodeId: "a", status: "completed", output: { branch: "y" } },
    { nodeId: "b", status: "completed", output: {} },
    { nodeId: "a", status: "completed", output: { branch: "y" } },
    { nodeId: "b", status: "failed", isRejected: true },
    { nodeId: "e", status: "completed" },
  ]);
  expect(chart).toContain('"b<br/>c#58; d<br/>2 visits<br/>failed"');
  expect(chart).toContain("  linkStyle 1,2,4 stroke-width:4px\n");
});

/** The allowed lines of a chart, with any text in its labels. */
const text = String.raw`"(?:[\p{L}\p{N}\p{M} .,_…-]|#\d+;|<br/>)*"`;
const node = String.raw`n\d+(?:\(\[${text}\]\)|\[${text}\]|\{${text}\}|\[/${text}/\])`;
const line = new RegExp(String.raw`^(?:flowchart TD|  ${node}|  n\d+ -->(?:\|${text}\|)? n\d+|)$`, "u");

test("a hostile name or title is never more than a label", () => {
  const hostile = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom(
      'a"]:::x',
      "end",
      "%%{init: {}}%%",
      "x\n  click n0 href",
      "style a:b#c;",
      "direction LR",
      "`md`",
      "</script>",
    ),
  );
  fc.assert(
    fc.property(hostile, hostile, (title, branch) => {
      const chart = mermaidChart({
        nodes: [
          { id: "end", kind: "start", title },
          { id: "class", kind: "condition", title, branches: [{ name: branch, when: "true" }], otherwise: "o" },
          { id: "t", kind: "tool_call", connection: title, action: branch },
          { id: "r", kind: "human_review", title },
        ],
        edges: [{ from: "class", to: "t", branch }],
      });
      const lines = chart.split("\n");
      expect(lines).toHaveLength(7);
      for (const one of lines) expect(one).toMatch(line);
      // Mermaid reads the whole line as a statement of its own.
      expect(chart).not.toMatch(/direction\s/);
    }),
    { numRuns: 1_000 },
  );
});
