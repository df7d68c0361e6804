import { cases } from "@procedo-testing/tiers";
import type { JsonObject, ProcedureDocument, ProcedureNode } from "@procedo/contract";
import { jsonPointer } from "@procedo/contract/syntax";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyChanges, unordered } from "../../test/apply-changes.ts";
import { randomProcedure } from "../../test/random-procedure.ts";
import { schemaMembers, wholeDocument } from "../../test/schema-variants.ts";
import { vendorPayment } from "../../test/vendor-payment.ts";
import { describeChanges } from "./describe-changes.ts";
import { mapNodeIds } from "./node-references.ts";

/** A copy of the example with a change; `node` finds a node by its id. */
function changed(change: (document: Editable, node: (id: string) => Record<string, unknown>) => void) {
  const document = structuredClone(vendorPayment()) as unknown as Editable;
  change(document, (id) => document.nodes.find((node) => node["id"] === id) ?? {});
  return document as unknown as ProcedureDocument;
}

type Editable = Omit<ProcedureDocument, "nodes"> & { nodes: Record<string, unknown>[] };

const renamed = (document: ProcedureDocument, from: string, to: string): ProcedureDocument =>
  mapNodeIds(document as unknown as JsonObject, (id) => (id === from ? to : id)) as unknown as ProcedureDocument;

/** The changes from the example, and a check that they lead to the changed document. */
function changesTo(after: ProcedureDocument, before = vendorPayment()) {
  const changes = describeChanges(before, after);
  expect(unordered(applyChanges(before, changes))).toEqual(unordered(after));
  return changes;
}

describe("the changes between two documents", () => {
  test("name a changed member by its pointer in the later document, with both values", () => {
    const after = changed((document, node) => {
      document.nodes.unshift({ id: "note", kind: "end" });
      Object.assign(node("pay"), { arguments: { vendorId: "{{ input.vendorId }}", amount: "{{ input.total }}" } });
      document.name = "Payment";
      document.budgets = { day: { toolCalls: 5_000_000, timeZone: "Europe/Berlin" } };
    });
    expect(changesTo(after)).toEqual([
      { kind: "member_changed", path: "/name", before: "Vendor payment", after: "Payment" },
      { kind: "node_added", path: "/nodes/0", nodeId: "note", node: { id: "note", kind: "end" } },
      {
        kind: "member_changed",
        path: "/nodes/5/arguments/amount",
        nodeId: "pay",
        before: "{{ input.amount }}",
        after: "{{ input.total }}",
      },
      { kind: "member_changed", path: "/budgets", after: { day: { toolCalls: 5_000_000, timeZone: "Europe/Berlin" } } },
    ]);
  });

  test("describe the input's schema member by member, and an added or removed member by its value", () => {
    const after = changed((document) => {
      document.input = {
        type: "object",
        required: ["vendorId", "amount", "dueOn"],
        properties: { vendorId: { type: "string" }, amount: { type: "integer" }, dueOn: { type: "string" } },
      };
    });
    expect(changesTo(after)).toEqual([
      {
        kind: "member_changed",
        path: "/input/required",
        before: ["vendorId", "amount"],
        after: ["vendorId", "amount", "dueOn"],
      },
      { kind: "member_changed", path: "/input/properties/amount/minimum", before: 1 },
      { kind: "member_changed", path: "/input/properties/dueOn", after: { type: "string" } },
    ]);
  });

  test("name removed nodes and edges by their place in the earlier document, behind those that they followed", () => {
    const after = changed((document) => {
      document.nodes = document.nodes.filter(({ id }) => id !== "approve");
      document.edges = document.edges.filter(({ from }) => from !== "approve");
      document.edges = document.edges.map((edge) => (edge.to === "approve" ? { ...edge, to: "pay" } : edge));
    });
    expect(changesTo(after)).toEqual([
      { kind: "node_removed", path: "/nodes/3", nodeId: "approve", node: vendorPayment().nodes[3] },
      {
        kind: "edge_redirected",
        path: "/edges/2",
        nodeId: "size",
        before: "approve",
        edge: { from: "size", branch: "large", to: "pay" },
      },
      { kind: "edge_removed", path: "/edges/4", nodeId: "approve", edge: { from: "approve", to: "pay" } },
    ]);
  });

  test("treat a node of another kind under the same id as removed and added", () => {
    const after = changed((document) => {
      document.nodes = document.nodes.map((node) => (node["id"] === "pay" ? { id: "pay", kind: "end" } : node));
    });
    expect(changesTo(after).map(({ kind, path }) => [kind, path])).toEqual([
      ["node_removed", "/nodes/4"],
      ["node_added", "/nodes/4"],
    ]);
  });

  test("compare lists of named items by item, also if two items changed", () => {
    const branches = (large: string, medium: string) => [
      { name: "large", when: `input.amount > ${large}` },
      { name: "medium", when: `input.amount > ${medium}` },
    ];
    const before = changed((_document, node) => void (node("size")["branches"] = branches("100", "10")));
    const after = changed((_document, node) => void (node("size")["branches"] = branches("200", "20")));
    expect(changesTo(after, before).map(({ path }) => path)).toEqual([
      "/nodes/2/branches/0/when",
      "/nodes/2/branches/1/when",
    ]);
  });

  test("are the same for duplicate ids and edges, which only a draft can have", () => {
    const before = changed((document) => {
      document.nodes.push({ id: "done", kind: "end", title: "Second" }, { id: "done", kind: "end", title: "Third" });
      document.edges.push({ from: "start", to: "vendor" });
    });
    expect(vendorPayment().edges).toHaveLength(7);
    const changes = describeChanges(before, vendorPayment());
    expect(changes.map(({ kind, path }) => [kind, path])).toEqual([
      ["node_removed", "/nodes/7"],
      ["node_removed", "/nodes/8"],
      ["edge_removed", "/edges/7"],
    ]);
  });

  test("keep a member with a name of objects themselves", () => {
    const data = (text: string) => JSON.parse(`{"__proto__": "${text}", "constructor": 1}`) as JsonObject;
    const before = changed((_document, node) => void (node("approve")["data"] = data("one")));
    const after = changed((_document, node) => void (node("approve")["data"] = data("two")));
    expect(describeChanges(before, after)).toEqual([
      { kind: "member_changed", path: "/nodes/3/data/__proto__", nodeId: "approve", before: "one", after: "two" },
    ]);
  });
});

describe("a node that was renamed", () => {
  test("is one change with all of its references", () => {
    const pay = renamed(vendorPayment(), "pay", "payment");
    expect(pay.nodes.map(({ id }) => id)).toContain("payment");
    expect(JSON.stringify(pay)).not.toMatch(/"pay"|nodes\.pay\b/);
    expect(changesTo(pay)).toEqual([
      { kind: "node_renamed", path: "/nodes/4", nodeId: "payment", before: "pay", node: pay.nodes[4] },
    ]);
  });

  test("is one change for each of several nodes that refer to each other", () => {
    const after = renamed(renamed(vendorPayment(), "vendor", "supplier"), "approve", "confirm");
    expect(changesTo(after).map(({ kind }) => kind)).toEqual(["node_renamed", "node_renamed"]);
  });

  test("leaves other changes of the nodes that refer to it, with their former values", () => {
    const after = renamed(
      changed((_document, node) => void (node("done")["output"] = { paymentId: "{{ nodes.pay.output.number }}" })),
      "pay",
      "payment",
    );
    expect(changesTo(after).slice(1)).toEqual([
      {
        kind: "member_changed",
        path: "/nodes/5/output/paymentId",
        nodeId: "done",
        before: "{{ nodes.pay.output.id }}",
        after: "{{ nodes.payment.output.number }}",
      },
    ]);
  });

  test("was removed and added if its content changed, or if a reference to its former id remained", () => {
    const other = renamed(vendorPayment(), "pay", "payment");
    (other.nodes[4] as Extract<ProcedureNode, { kind: "tool_call" }>).timeoutMs = 1;
    expect(changesTo(other).map(({ kind }) => kind)).toContain("node_removed");
    const dangling = renamed(vendorPayment(), "pay", "payment");
    (dangling.nodes[5] as Extract<ProcedureNode, { kind: "end" }>).output = { id: "{{ nodes.pay.output.id }}" };
    expect(changesTo(dangling).map(({ kind }) => kind)).toContain("node_removed");
  });

  test("is found in long texts in time that grows with their length", () => {
    const text = `{{ nodes.${" ".repeat(200_000)}1 }}`;
    const before = changed((_document, node) => void (node("done")["output"] = { text, id: "{{ nodes.pay.output }}" }));
    expect(changesTo(renamed(before, "pay", "payment"), before)).toHaveLength(1);
  });

  test("leaves texts alone that are no expressions", () => {
    const withTitle = changed(
      (_document, node) => void (node("vendor")["title"] = "See nodes.pay and {{ nodes.pay }}"),
    );
    const after = renamed(withTitle, "pay", "payment");
    expect(after.nodes[1]?.title).toBe("See nodes.pay and {{ nodes.pay }}");
    expect(changesTo(after, withTitle)).toHaveLength(1);
  });
});

describe("every member of the document's schema", () => {
  const whole = wholeDocument() as ProcedureDocument;
  const edited = (path: readonly string[], edit: (owner: Record<string, unknown>, name: string) => void) => {
    const copy = structuredClone(whole);
    const owner = path.slice(0, -1).reduce<unknown>((value, token) => (value as Record<string, unknown>)[token], copy);
    edit(owner as Record<string, unknown>, path.at(-1) ?? "");
    return copy;
  };

  test.each(schemaMembers().map((member) => ({ ...member, pointer: jsonPointer(member.path) })))(
    "$pointer is compared",
    ({ path, pointer, other, isLeaf, isOptional }) => {
      const variants = [
        ...(isLeaf ? [edited(path, (owner, name) => void (owner[name] = other))] : []),
        ...(isOptional ? [edited(path, (owner, name) => void delete owner[name])] : []),
      ];
      for (const variant of variants) {
        for (const [before, after] of [
          [whole, variant],
          [variant, whole],
        ] as const) {
          const changes = describeChanges(before, after);
          expect(changes).not.toEqual([]);
          // No other place is named.
          for (const change of changes)
            expect(`${change.path}/`.startsWith(pointer) || pointer.startsWith(change.path)).toBe(true);
          expect(unordered(applyChanges(before, changes))).toEqual(unordered(after));
        }
      }
    },
  );

  const referring = schemaMembers().filter(
    ({ path, description }) =>
      path[0] === "nodes" &&
      /CEL expression|Template|`\{\{ \}\}`|Human reviews that come before|id of a/.test(description),
  );

  test("the members that refer to nodes are those of these names", () => {
    const names = new Set(referring.map(({ path }) => path.at(-1)));
    expect([...names].sort()).toEqual(
      ["arguments", "check", "covers", "data", "excludeApproversOf", "output", "sum", "title", "when"].sort(),
    );
  });

  test.each(referring.map((member) => ({ ...member, pointer: jsonPointer(member.path) })))(
    "a renamed node is renamed in $pointer",
    ({ path, description, other }) => {
      const isText = typeof other === "string";
      const text = description.includes("CEL") ? "1 + nodes.gone.?output" : '{{ nodes["gone"].output }}';
      const value = (id: string): unknown => {
        if (Array.isArray(other)) return [id];
        if (path.at(-1) === "covers") return id;
        return isText ? text.replace("gone", id) : { list: [{ when: text.replace("gone", id) }] };
      };
      const withNode = (id: string): ProcedureDocument => {
        const document = edited(path, (owner, name) => void (owner[name] = value(id)));
        document.nodes.push({ id, kind: "end" });
        return document;
      };
      expect(describeChanges(withNode("gone"), withNode("found"))).toEqual([
        expect.objectContaining({ kind: "node_renamed", before: "gone", nodeId: "found" }),
      ]);
    },
  );
});

describe("for random documents", () => {
  const seeds = fc.integer({ min: 0, max: 2 ** 31 - 1 });
  const sizes = fc.integer({ min: 2, max: 25 });
  const runs = () => ({ numRuns: cases({ commit: 200, nightly: 2_000, release: 10_000 }) });
  const json = fc.jsonValue({ maxDepth: 2 });

  /** One edit of a document, drawn from numbers. */
  const edits: readonly ((document: Editable, at: number, value: unknown) => void)[] = [
    (document, at) => void document.nodes.splice(at % document.nodes.length, 1),
    (document, at, value) =>
      void document.nodes.splice(at % document.nodes.length, 0, { id: `new_${at}`, kind: "end", output: { value } }),
    (document, at) =>
      void Object.assign(document, renamed(document as never, `n${at % document.nodes.length}`, `renamed_${at}`)),
    (document, at, value) => void ((document.nodes[at % document.nodes.length] ?? {})["arguments"] = { value }),
    (document, at) => void ((document.nodes[at % document.nodes.length] ?? {})["kind"] = "end"),
    (document, at) => void document.edges.splice(at % (document.edges.length + 1), 1),
    (document, at) => void Object.assign(document.edges[at % (document.edges.length || 1)] ?? {}, { to: `n${at % 7}` }),
    (document, at) => void document.edges.push({ from: `n${at % 5}`, to: `n${at % 3}`, branch: `b${at % 2}` }),
    (document, _at, value) => void (document.input = { type: "object", default: value as never }),
    (document, at) => void (document.budgets = { run: { toolCalls: at } }),
    (document, at) => void (document.reference = `{{ input.m${at} }}`),
    (document) => void delete document.description,
  ];
  const edit = fc.tuple(fc.nat({ max: edits.length - 1 }), fc.nat({ max: 1_000 }), json);

  test("the changes lead from one to the other, and there are none between equal ones", () => {
    fc.assert(
      fc.property(seeds, sizes, fc.array(edit, { maxLength: 6 }), (seed, size, drawn) => {
        const before = randomProcedure(seed, size);
        const after = structuredClone(before) as unknown as Editable;
        for (const [kind, at, value] of drawn) if (after.nodes.length > 0) edits[kind]?.(after, at, value);
        const document = after as unknown as ProcedureDocument;
        const changes = changesTo(document, before);
        expect(changes.length === 0).toBe(JSON.stringify(unordered(before)) === JSON.stringify(unordered(document)));
        expect(describeChanges(document, structuredClone(document))).toEqual([]);
      }),
      runs(),
    );
  });

  test("the changes lead from one to another that has nothing to do with it", () => {
    fc.assert(
      fc.property(seeds, seeds, sizes, sizes, (one, other, size, otherSize) => {
        changesTo(randomProcedure(other, otherSize), randomProcedure(one, size));
      }),
      runs(),
    );
  });

  test("the order of nodes, edges and members makes no change", () => {
    const reversed = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(reversed);
      if (typeof value !== "object" || value === null) return value;
      return Object.fromEntries(
        Object.entries(value)
          .reverse()
          .map(([name, member]) => [name, reversed(member)]),
      );
    };
    fc.assert(
      fc.property(seeds, sizes, (seed, size) => {
        const before = randomProcedure(seed, size);
        const after = reversed({ ...before, nodes: before.nodes.toReversed(), edges: before.edges.toReversed() });
        expect(describeChanges(before, after as ProcedureDocument)).toEqual([]);
      }),
      runs(),
    );
  });

  test("a renamed node is one change", () => {
    fc.assert(
      fc.property(seeds, sizes, fc.nat(), (seed, size, at) => {
        const before = randomProcedure(seed, size);
        const id = before.nodes[at % before.nodes.length]?.id ?? "";
        expect(changesTo(renamed(before, id, "another"), before)).toEqual([
          expect.objectContaining({ kind: "node_renamed", before: id, nodeId: "another" }),
        ]);
      }),
      runs(),
    );
  });
});
