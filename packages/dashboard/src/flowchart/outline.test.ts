import { expect, test } from "vitest";
import { outlineOf, type OutlineEntry } from "./outline.ts";
import type { NodeKind, ShownChart } from "./shown-chart.ts";

/** `check -large> approve` is an edge with a branch. */
function chart(...ways: readonly string[]): ShownChart {
  const edges = ways.map((way) => {
    const [from = "", branch, to = ""] = way.split(/ -(\w*)> /);
    return { from, to, branch: branch === "" ? undefined : branch, isTaken: false };
  });
  const ids = [...new Set(edges.flatMap(({ from, to }) => [from, to]))];
  const kindOf = (id: string): NodeKind => (id === "start" ? "start" : id.startsWith("end") ? "end" : "tool_call");
  const nodes = ids.map((id) => ({ id, kind: kindOf(id), title: id, isAgent: false, visits: 0 }));
  return { nodes, edges };
}

/** Each entry on a line, with its branches below. */
function words(entries: readonly OutlineEntry[], indent = ""): readonly string[] {
  return entries.flatMap((entry) => {
    if (entry.kind === "jump") return [`${indent}${entry.isLoop ? "back to" : "on to"} ${entry.to.id}`];
    const below = entry.branches.flatMap(({ edge, steps }) => [
      `${indent}  ${edge.branch ?? "then"}:`,
      ...words(steps, `${indent}    `),
    ]);
    return [`${indent}${entry.node.id}`, ...below];
  });
}

test("a step at which branches meet follows them", () => {
  const shown = chart("start -> size", "size -large> approve", "size -small> pay", "approve -> pay", "pay -> end");
  expect(words(outlineOf(shown))).toEqual(["start", "size", "  large:", "    approve", "  small:", "pay", "end"]);
});

test("branches with ends of their own stay apart", () => {
  const shown = chart("start -> check", "check -ok> pay", "check -bad> endRefused", "pay -> endPaid");
  expect(words(outlineOf(shown))).toEqual([
    "start",
    "check",
    "  ok:",
    "    pay",
    "    endPaid",
    "  bad:",
    "    endRefused",
  ]);
});

test("a loop leads back to its step", () => {
  const shown = chart("start -> next", "next -again> work", "next -done> end", "work -> next");
  expect(words(outlineOf(shown))).toEqual([
    "start",
    "next",
    "  again:",
    "    work",
    "    back to next",
    "  done:",
    "end",
  ]);
});

test("a branch may lead to a step of another branch", () => {
  const shown = chart(
    "start -> a",
    "a -x> b",
    "a -y> c",
    "b -p> repair",
    "b -q> end1",
    "c -p> repair",
    "c -q> end2",
    "repair -> end3",
  );
  expect(words(outlineOf(shown))).toEqual([
    "start",
    "a",
    "  x:",
    "    b",
    "      p:",
    "        repair",
    "        end3",
    "      q:",
    "        end1",
    "  y:",
    "    c",
    "      p:",
    "        on to repair",
    "      q:",
    "        end2",
  ]);
});

test("each step is listed once, in a chart of any shape", () => {
  const ids = Array.from({ length: 300 }, (_, index) => `n${index}`);
  const ways = ids.flatMap((id, index) => [`${id} -a> n${(index * 7 + 1) % 300}`, `${id} -b> n${(index + 1) % 300}`]);
  const shown = chart("start -> n0", ...ways);
  const listed: string[] = [];
  const visit = (entries: readonly OutlineEntry[]): void => {
    for (const entry of entries) {
      if (entry.kind === "jump") continue;
      listed.push(entry.node.id);
      for (const { steps } of entry.branches) visit(steps);
    }
  };
  visit(outlineOf(shown));
  expect(listed.toSorted()).toEqual(shown.nodes.map(({ id }) => id).toSorted());
});

test("a way that never ends is listed too", () => {
  expect(words(outlineOf(chart("start -> a", "a -> b", "b -> a")))).toEqual(["start", "a", "b", "back to a"]);
});
