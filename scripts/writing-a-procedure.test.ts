import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { procedureDocumentSchema } from "../packages/contract/src/index.ts";
import { compileProcedure, type CompileSurroundings } from "../packages/procedure/src/index.ts";
import { root } from "./workspace.ts";

const page = readFileSync(join(root, "docs/writing-a-procedure.md"), "utf8");
const blocks = [...page.matchAll(/^```json\n([^]*?)^```$/gm)].map(([, text = ""]) => JSON.parse(text) as object);
const documents = blocks.filter((block) => "nodes" in block);
const parts = blocks.filter((block) => !("nodes" in block));

describe("docs/writing-a-procedure.md", () => {
  test("contains a complete document that can be published", () => {
    expect(documents).toHaveLength(1);
    const surroundings: CompileSurroundings = {
      model: false,
      connectionMissing: "error",
      action: () => ({ missing: "connection", known: [] }),
    };
    expect(compileProcedure(documents[0], surroundings).problems).toEqual([]);
  });

  test.each(parts.map((part) => [JSON.stringify(part).slice(0, 60), part] as const))(
    "contains the valid part %s …",
    (_text, part) => {
      const nodes = "kind" in part ? [part] : [];
      const edges = "from" in part ? [part] : [];
      const start = { id: "start", kind: "start" };
      const document = {
        schemaVersion: 1,
        procedureId: "example",
        name: "Example",
        input: {},
        nodes: [start, { id: "end", kind: "end" }, ...nodes],
        edges,
        ...("budgets" in part && part),
      };
      expect(procedureDocumentSchema.safeParse(document)).toMatchObject({ success: true });
    },
  );

  test("explains every field of every kind of node", () => {
    const kinds = procedureDocumentSchema.shape.nodes.element.options;
    const fields = kinds.flatMap(({ shape }) => Object.keys(shape));
    const agentOnly = ["maxCalls", "description"];
    const missing = fields.filter((field) => !page.includes(`"${field}"`) && !page.includes(`\`${field}\``));
    expect(missing.filter((field) => !agentOnly.includes(field))).toEqual([]);
  });
});
