import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../workspace.ts";

/** The files that the code blocks of a page name in their first line, by their path in a project. */
export function filesOfPage(path: string): Readonly<Record<string, string>> {
  const page = readFileSync(join(root, path), "utf8");
  const blocks = page.matchAll(/^```ts(?: fragment)?\n\/\/ (?<path>\S+)\n(?<code>[^]*?)^```$/gm);
  return Object.fromEntries([...blocks].map(({ groups }) => [`src/${groups?.["path"]}`, groups?.["code"] ?? ""]));
}
