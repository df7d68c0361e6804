import { seededRandom, type SeededRandom } from "@procedo-testing/faults";
import type { ProcedureDocument } from "@procedo/contract";
import type { ProblemCode } from "@procedo/procedure";

interface Draft {
  nodes: Record<string, unknown>[];
  edges: Record<string, unknown>[];
  [field: string]: unknown;
}

/** A way to break a valid document, and the expected problem. */
export interface Fault {
  readonly code: ProblemCode;
  spoil(document: Draft, random: SeededRandom): void;
}

const inner = ({ nodes }: Draft, random: SeededRandom) => nodes[1 + random.below(nodes.length - 1)] ?? {};

export const faults: Readonly<Record<string, Fault>> = {
  "an id given twice": {
    code: "duplicate_id",
    spoil: (document, random) => document.nodes.push({ ...random.pick(document.nodes) }),
  },
  "an edge to nowhere": {
    code: "unknown_node",
    spoil: (document, random) => (random.pick(document.edges)["to"] = "nowhere"),
  },
  "an edge from nowhere": {
    code: "unknown_node",
    // A changed edge could leave its former target without a path.
    spoil: (document) => document.edges.push({ from: "nobody", to: document.nodes[1]?.["id"] }),
  },
  "a lost edge": {
    code: "missing_edge",
    // The first edge leads out of the start, which always needs it.
    spoil: (document) => document.edges.shift(),
  },
  "an edge given twice": {
    code: "duplicate_edge",
    spoil: (document, random) => document.edges.push({ ...random.pick(document.edges) }),
  },
  "an edge out of an end": {
    code: "unexpected_edge",
    spoil: (document) =>
      document.edges.push({ from: document.nodes.at(-1)?.["id"], to: document.nodes.at(-1)?.["id"] }),
  },
  "an orphan": {
    code: "unreachable",
    spoil: (document) => document.nodes.push({ id: "orphan", kind: "end" }),
  },
  "a loop without a way out": {
    code: "no_way_to_end",
    spoil: (document) => {
      document.nodes.push({ id: "loop", kind: "tool_call", connection: "ledger", action: "a" });
      const [first] = document.edges;
      document.nodes.push({ id: "fork", kind: "condition", branches: [{ name: "in", when: "true" }], otherwise: "on" });
      document.edges.push({ from: "loop", to: "loop" }, { from: "fork", branch: "in", to: "loop" });
      document.edges.push({ from: "fork", branch: "on", to: first?.["to"] });
      if (first !== undefined) first["to"] = "fork";
    },
  },
  "no start": {
    code: "start_count",
    spoil: (document) => document.nodes.shift(),
  },
  "a second start": {
    code: "start_count",
    spoil: (document) => document.nodes.push({ id: "second", kind: "start" }),
  },
  "an unknown kind": {
    code: "shape",
    spoil: (document, random) => (inner(document, random)["kind"] = "magic"),
  },
  "an unknown field": {
    code: "shape",
    spoil: (document, random) => (inner(document, random)["colour"] = "red"),
  },
  "a node that is no object": {
    code: "shape",
    spoil: (document, random) => document.nodes.splice(random.below(document.nodes.length), 1, null as never),
  },
  "an expression that does not parse": {
    code: "expression",
    spoil: (document) => Object.assign(document.nodes.at(-1) ?? {}, { output: { a: "{{ 1 + }}" } }),
  },
  "a misspelt input": {
    code: "expression",
    spoil: (document) => Object.assign(document.nodes.at(-1) ?? {}, { output: { a: "{{ input.amont }}" } }),
  },
  "an input schema that does not compile": {
    code: "schema",
    spoil: (document) => (document["input"] = { type: "object", properties: { amount: { type: "money" } } }),
  },
};

/** A valid document with one fault. */
export function spoilt(document: ProcedureDocument, fault: Fault, seed: number): unknown {
  const draft = structuredClone(document) as unknown as Draft;
  fault.spoil(draft, seededRandom(seed));
  return draft;
}

const junk: readonly unknown[] = [
  undefined,
  null,
  -1,
  1e400,
  "",
  "{{",
  "__proto__",
  "constructor",
  [],
  {},
  [[[]]],
  { kind: "start" },
  Symbol("junk"),
  10n,
  () => "junk",
  new Date(0),
];

/** A document with `count` values replaced by random values or by other parts of it, including cycles. */
export function scrambled(document: ProcedureDocument, count: number, seed: number): unknown {
  const random = seededRandom(seed);
  const draft: unknown = structuredClone(document);
  for (let left = count; left > 0; left -= 1) {
    const target = randomContainer(draft, random);
    const key = random.pick(Object.keys(target).concat("extra", "__proto__"));
    const value = random.chance(0.7) ? random.pick(junk) : randomContainer(draft, random);
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  }
  return draft;
}

function randomContainer(root: unknown, random: SeededRandom): object {
  let at = root as object;
  for (let depth = random.below(6); depth > 0; depth -= 1) {
    const inside: object[] = Object.values(at).filter(
      (value) => typeof value === "object" && value !== null,
    ) as object[];
    if (inside.length === 0) break;
    at = random.pick(inside);
  }
  return at;
}
