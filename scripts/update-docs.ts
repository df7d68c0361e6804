/**
 * `pnpm docs:update`: refreshes the files embedded in documents, and writes the HTTP reference, the catalogue of
 * integrations, the dashboard's types of the API, and the JSON Schema.
 */
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { jsonSchemaOfProcedure } from "../packages/contract/src/index.ts";
import { apiTypes, apiTypesPath } from "./api-types.ts";
import { refreshEmbeddedCode } from "./embedded-code.ts";
import { httpReference } from "./http-reference.ts";
import { integrationsPage } from "./integrations-page.ts";
import { root } from "./workspace.ts";

for (const path of globSync(["*.md", "docs/**/*.md", "packages/*/README.md", "examples/*/README.md"], { cwd: root })) {
  const markdown = readFileSync(join(root, path), "utf8");
  const refreshed = refreshEmbeddedCode(markdown);
  if (refreshed !== markdown) writeFileSync(join(root, path), refreshed);
}
writeFileSync(join(root, "docs/http-reference.md"), httpReference());
writeFileSync(join(root, "docs/integrations.md"), integrationsPage());
writeFileSync(join(root, apiTypesPath), await apiTypes());
const schema = `${JSON.stringify(jsonSchemaOfProcedure(), undefined, 2)}\n`;
writeFileSync(join(root, "packages/contract/procedure.schema.json"), schema);
