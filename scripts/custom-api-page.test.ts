import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  connectionChangesSchema,
  createConnectionRequestSchema,
  customApiSettingsSchema,
  procedureDocumentSchema,
} from "../packages/contract/src/index.ts";
import { openApiDocument } from "../examples/ledger/src/openapi.ts";
import { importDocument } from "../packages/integrations/src/openapi/index.ts";
import { root } from "./workspace.ts";

const page = readFileSync(join(root, "docs/custom-api.md"), "utf8");
const blocks = [...page.matchAll(/^```json\n([^]*?)^```$/gm)].map(([, text = ""]) => JSON.parse(text) as object);

test("docs/custom-api.md shows the actions of the ledger's document", () => {
  const imported = importDocument(JSON.stringify(openApiDocument({ url: "http://127.0.0.1:4010", secured: true })));
  const actions = imported.ok ? imported.api.operations : [];
  const shown = [...page.matchAll(/^(\w+) +(GET|POST) +(\S+) +(read|idempotent|once)$/gm)].map(([, ...row]) => row);
  expect(shown).toEqual(actions.map(({ name, method, path, effect }) => [name, method.toUpperCase(), path, effect]));
});

test("docs/custom-api.md connects with a request that the interface accepts", () => {
  const [, body = ""] = /connections -H .* -d '(\{[^]*?\n\})'$/m.exec(page) ?? [];
  const request = createConnectionRequestSchema.parse(JSON.parse(body.replace("'$LEDGER'", "http://127.0.0.1:4010")));
  expect(customApiSettingsSchema.safeParse(request.settings)).toMatchObject({ success: true });
});

test("docs/custom-api.md shows a valid node of a procedure, and changes in the format of the interface", () => {
  const node = blocks.find((block) => "kind" in block);
  const start = { id: "start", kind: "start" };
  const document = { schemaVersion: 1, procedureId: "p", name: "P", input: {}, nodes: [start, node], edges: [] };
  expect(procedureDocumentSchema.safeParse(document)).toMatchObject({ success: true });
  const answer = blocks.find((block) => "changes" in block);
  expect(connectionChangesSchema.safeParse(answer?.changes)).toMatchObject({ success: true });
  expect(blocks).toHaveLength(4);
});

test("docs/custom-api.md shows an OAuth client that the settings accept", () => {
  const settings = blocks.find((block) => "authentication" in block);
  expect(customApiSettingsSchema.safeParse({ spec: { text: "x" }, ...settings })).toMatchObject({ success: true });
});

test("docs/custom-api.md shows formats that the settings accept", () => {
  const settings = blocks.find((block) => "formats" in block);
  expect(customApiSettingsSchema.safeParse({ spec: { text: "x" }, ...settings })).toMatchObject({ success: true });
});
