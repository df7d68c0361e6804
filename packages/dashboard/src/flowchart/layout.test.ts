import { expect, test } from "vitest";
import { layOut } from "./layout.ts";

const size = { width: 200, height: 60 };
const nodes = ["start", "check", "pay", "done", "refused"].map((id) => ({ id, ...size }));
const edges = [
  { from: "start", to: "check" },
  { from: "check", to: "pay" },
  { from: "check", to: "refused" },
  { from: "pay", to: "done" },
  { from: "pay", to: "check" },
];

test("nodes follow from the top, do not overlap, and keep their places", () => {
  const places = layOut({ nodes, edges });
  const y = (id: string): number => places[id]?.y ?? Number.NaN;
  expect(y("start")).toBeLessThan(y("check"));
  expect(y("check")).toBeLessThan(y("pay"));
  expect(y("pay")).toBeLessThan(y("done"));
  const all = Object.values(places);
  for (const [index, a] of all.entries()) {
    for (const b of all.slice(index + 1)) {
      expect(Math.abs(a.x - b.x) >= size.width || Math.abs(a.y - b.y) >= size.height).toBe(true);
    }
  }
  expect(layOut({ nodes, edges })).toEqual(places);
});
