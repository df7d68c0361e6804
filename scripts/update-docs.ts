/** `pnpm docs:update`: puts the files that the documents show into them again. */
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { refreshEmbeddedCode } from "./embedded-code.ts";
import { root } from "./workspace.ts";

for (const path of globSync(["*.md", "docs/**/*.md", "packages/*/README.md", "examples/*/README.md"], { cwd: root })) {
  const markdown = readFileSync(join(root, path), "utf8");
  const refreshed = refreshEmbeddedCode(markdown);
  if (refreshed !== markdown) writeFileSync(join(root, path), refreshed);
}
