import { expect, test } from "vitest";
import { layOut } from "./layout.ts";

const size = { width: 200, height: 60 };
const ids = ["start", "check", "pay", "done", "__proto__"];
const nodes = ids.map((id) => ({ id, ...size }));
const edges = [
  { from: "start", to: "check" },
  { from: "check", to: "pay", label: { width: 60, height: 20 } },
  { from: "check", to: "__proto__", label: { width: 60, height: 20 } },
  { from: "pay", to: "done" },
  { from: "pay", to: "check" },
];

test("nodes follow from the top, do not overlap, and keep their places", () => {
  const laidOut = layOut({ nodes, edges });
  const y = (id: string): number => laidOut.nodes[ids.indexOf(id)]?.y ?? Number.NaN;
  expect(y("start")).toBeLessThan(y("check"));
  expect(y("check")).toBeLessThan(y("pay"));
  expect(y("pay")).toBeLessThan(y("done"));
  for (const [index, a] of laidOut.nodes.entries()) {
    for (const b of laidOut.nodes.slice(index + 1)) {
      expect(Math.abs(a.x - b.x) >= size.width || Math.abs(a.y - b.y) >= size.height).toBe(true);
    }
  }
  expect(layOut({ nodes, edges })).toEqual(laidOut);
});

test("each edge leads from border to border, and labels lie apart from nodes", () => {
  const laidOut = layOut({ nodes, edges });
  for (const { points } of laidOut.edges) expect(points.length).toBeGreaterThanOrEqual(2);
  expect(laidOut.edges.map(({ label }) => label !== undefined)).toEqual([false, true, true, false, false]);
  for (const { label } of laidOut.edges) {
    if (label === undefined) continue;
    const isCovered = laidOut.nodes.some(
      ({ x, y }) => label.x > x && label.x < x + size.width && label.y > y && label.y < y + size.height,
    );
    expect(isCovered).toBe(false);
  }
});

test("an edge to a node that does not exist has no points", () => {
  const { edges: laidOut } = layOut({ nodes, edges: [{ from: "start", to: "nowhere" }] });
  expect(laidOut).toEqual([{ points: [], label: undefined }]);
});
