import { expect, test } from "vitest";
import { embeddedCode, expectedCode, refreshEmbeddedCode } from "./embedded-code.ts";

const file = "scripts/embedded-code.test.ts";
const document = (code: string): string => `Before.\n\n<!-- code: ${file} -->\n\`\`\`ts\n${code}\`\`\`\n\nAfter.\n`;

test("finds the code block after a comment, with the path of its file", () => {
  expect(embeddedCode(document("old();\n"))).toEqual([{ file, code: "old();\n" }]);
});

test("replaces the block with the file, and leaves the rest of the document unchanged", () => {
  const source = "export const answer = 42;\n";
  const marked = "<!-- code: scripts/no-such-file.ts -->\n```ts\nold();\n```\n\n```ts\nkept();\n```\n";
  expect(refreshEmbeddedCode(marked)).toBe(marked.replace("old();\n", ""));
  expect(refreshEmbeddedCode(source)).toBe(source);
  expect(expectedCode(file)).toContain("refreshing puts the file into its block");
});

test("embeds a file with $-patterns unchanged", () => {
  const patterns = "$& $1 $$";
  expect(refreshEmbeddedCode(document(""))).toContain(patterns);
});
