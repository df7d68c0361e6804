import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./workspace.ts";

const embedded = /(<!-- code: (?<file>\S+) -->\n```ts\n)(?<code>[^]*?)(```\n)/g;

/** Code blocks that show a file: those after a comment `<!-- code: path/from/the/root.ts -->`. */
export function embeddedCode(markdown: string): readonly { readonly file: string; readonly code: string }[] {
  return [...markdown.matchAll(embedded)].map((match) => ({
    file: match.groups?.["file"] ?? "",
    code: match.groups?.["code"] ?? "",
  }));
}

/** The same document with each shown file as it is now. */
export function refreshEmbeddedCode(markdown: string): string {
  return markdown.replace(embedded, (_all, opening: string, file: string, _code: string, closing: string) => {
    return opening + expectedCode(file) + closing;
  });
}

/** What the block of a file contains: the file, or nothing when there is no such file. */
export function expectedCode(file: string): string {
  const path = join(root, file);
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}
