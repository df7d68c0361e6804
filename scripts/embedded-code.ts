import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./workspace.ts";

const embedded = /(<!-- code: (?<file>\S+) -->\n```ts\n)(?<code>[^]*?)(```\n)/g;

/** Matches code blocks that show a file, marked by a preceding comment `<!-- code: path/from/the/root.ts -->`. */
export function embeddedCode(markdown: string): readonly { readonly file: string; readonly code: string }[] {
  return [...markdown.matchAll(embedded)].map((match) => ({
    file: match.groups?.["file"] ?? "",
    code: match.groups?.["code"] ?? "",
  }));
}

/** Returns the document with the current content of each shown file. */
export function refreshEmbeddedCode(markdown: string): string {
  return markdown.replace(embedded, (_all, opening: string, file: string, _code: string, closing: string) => {
    return opening + expectedCode(file) + closing;
  });
}

/** Returns the content of a file's block; empty if the file does not exist. */
export function expectedCode(file: string): string {
  const path = join(root, file);
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}
