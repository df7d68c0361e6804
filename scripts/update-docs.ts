/** `pnpm docs:update`: puts the files that the documents show into them again, and writes the HTTP reference. */
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { refreshEmbeddedCode } from "./embedded-code.ts";
import { httpReference } from "./http-reference.ts";
import { root } from "./workspace.ts";

for (const path of globSync(["*.md", "docs/**/*.md", "packages/*/README.md", "examples/*/README.md"], { cwd: root })) {
  const markdown = readFileSync(join(root, path), "utf8");
  const refreshed = refreshEmbeddedCode(markdown);
  if (refreshed !== markdown) writeFileSync(join(root, path), refreshed);
}
writeFileSync(join(root, "docs/http-reference.md"), httpReference());
