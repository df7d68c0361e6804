import { reversed } from "./reachability.ts";

/**
 * Whether every path from the root to `node` passes `gate`. A node passes itself. An unreachable node passes nothing.
 */
export type Dominates = (gate: number, node: number) => boolean;

/**
 * Finds, for all nodes at once, the nodes that every path from the root must pass: dominators by Lengauer and Tarjan,
 * "A fast algorithm for finding dominators in a flowgraph" (1979), in time nearly linear in the edges.
 */
export function findDominators(root: number, to: readonly (readonly number[])[]): Dominates {
  const { order, number, parent } = depthFirst(root, to);
  const from = reversed(to);
  // All arrays below are indexed by depth-first number; `semi` and `label` contain such numbers.
  const semi = order.map((_node, at) => at);
  const label = order.map((_node, at) => at);
  const ancestor = order.map(() => -1);
  const idom = order.map(() => 0);
  const waiting: number[][] = order.map(() => []);

  /** The node with the smallest semidominator on the linked path above `at`. The path is compressed on the way. */
  function evaluate(at: number): number {
    const path: number[] = [];
    for (let up = at; get(ancestor, up) !== -1 && get(ancestor, get(ancestor, up)) !== -1; up = get(ancestor, up)) {
      path.push(up);
    }
    for (let step = path.pop(); step !== undefined; step = path.pop()) {
      const above = get(ancestor, step);
      if (get(semi, get(label, above)) < get(semi, get(label, step))) label[step] = get(label, above);
      ancestor[step] = get(ancestor, above);
    }
    return get(ancestor, at) === -1 ? at : get(label, at);
  }

  for (let at = order.length - 1; at > 0; at -= 1) {
    for (const predecessor of from[get(order, at)] ?? []) {
      const before = get(number, predecessor);
      if (before === -1) continue;
      semi[at] = Math.min(get(semi, at), get(semi, evaluate(before)));
    }
    waiting[get(semi, at)]?.push(at);
    const above = get(parent, at);
    ancestor[at] = above;
    for (const node of waiting[above]?.splice(0) ?? []) {
      const least = evaluate(node);
      idom[node] = get(semi, least) < above ? least : above;
    }
  }
  for (let at = 1; at < order.length; at += 1) {
    if (get(idom, at) !== get(semi, at)) idom[at] = get(idom, get(idom, at));
  }
  return dominatesIn(idom, number);
}

/**
 * Reachable nodes in depth-first order, each node's number in that order (-1: unreachable), and each number's parent.
 */
function depthFirst(root: number, to: readonly (readonly number[])[]) {
  const number = to.map(() => -1);
  const order: number[] = [];
  const parent: number[] = [];
  const open: { node: number; parent: number }[] = [{ node: root, parent: 0 }];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (get(number, at.node) !== -1) continue;
    const own = order.length;
    number[at.node] = own;
    order.push(at.node);
    parent.push(at.parent);
    for (const next of to[at.node] ?? []) open.push({ node: next, parent: own });
  }
  return { order, number, parent };
}

/** Answers by intervals: a node is below another in the dominator tree if its interval lies within the other's. */
function dominatesIn(idom: readonly number[], number: readonly number[]): Dominates {
  const below: number[][] = idom.map(() => []);
  for (let at = 1; at < idom.length; at += 1) below[get(idom, at)]?.push(at);
  const enter = idom.map(() => 0);
  const leave = idom.map(() => 0);
  let clock = 0;
  const open: { at: number; left: boolean }[] = [{ at: 0, left: false }];
  for (let step = open.pop(); step !== undefined; step = open.pop()) {
    clock += 1;
    if (step.left) {
      leave[step.at] = clock;
      continue;
    }
    enter[step.at] = clock;
    open.push({ at: step.at, left: true });
    for (const next of below[step.at] ?? []) open.push({ at: next, left: false });
  }
  return (gate, node) => {
    const [a, b] = [get(number, gate), get(number, node)];
    if (a === -1 || b === -1) return false;
    return get(enter, a) <= get(enter, b) && get(leave, b) <= get(leave, a);
  };
}

function get(list: readonly number[], at: number): number {
  return list[at] ?? -1;
}
