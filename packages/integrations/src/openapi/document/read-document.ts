import type { ImportProblem } from "../imported-api.ts";
import type { ReadResult } from "./api-document.ts";
import { foreignText, kindOf } from "./document-kind.ts";
import { maxDocumentBytes } from "./document-limits.ts";
import { createLocator } from "./position-index.ts";
import { readJson } from "./read-json.ts";
import { readYaml } from "./read-yaml.ts";
import { createTextPositions } from "./text-position.ts";

/** Up to this number, positions are searched one by one; beyond it, the text is indexed. */
const maxSought = 3;

/**
 * Reads text into a value, detects the kind of document, and rejects unsupported kinds by name. A text that starts with
 * a brace or bracket is JSON; any other text is YAML. The result is an object with a version.
 */
export function readDocument(source: string): ReadResult {
  if (exceeds(source, maxDocumentBytes)) {
    return refused(
      `The document is larger than ${maxDocumentBytes / 1024 / 1024} MiB, which is its limit; make it smaller.`,
    );
  }
  const content = source.startsWith("\uFEFF") ? source.slice(1) : source;
  const isJson = /^\s*[[{]/.test(content);
  // A carriage return before a line feed is replaced by a blank, which changes no line and no column.
  const text = isJson ? content : content.replaceAll("\r\n", "\n");
  if (text.trim() === "") return refused("The document is empty; give a document of OpenAPI 3.0 or Swagger 2.0.");
  const foreign = foreignText(text);
  if (foreign !== undefined) return refused(foreign);
  const positionOf = createTextPositions(text);
  const read = isJson ? readJson(text, positionOf) : readYaml(text, positionOf);
  if (!read.ok) return read;

  let locator: ((pointer: string) => number) | undefined;
  let located = 0;
  const locate = (pointer: string) => {
    located += 1;
    if (located <= maxSought && read.offsetOf !== undefined) return positionOf(read.offsetOf(pointer));
    return positionOf((locator ??= createLocator(read.positions()))(pointer));
  };
  const kind = kindOf(read.value);
  if (kind.ok) return { ok: true, document: { dialect: kind.dialect, root: kind.root, locate } };
  return {
    ok: false,
    problems: kind.problems.map((problem) => ({ severity: "error", ...problem, ...locate(problem.pointer) })),
  };
}

function refused(message: string): ReadResult {
  const problem: ImportProblem = { severity: "error", pointer: "", message };
  return { ok: false, problems: [problem] };
}

/** A UTF-16 unit takes one to three bytes of UTF-8. */
function exceeds(text: string, bytes: number): boolean {
  if (text.length > bytes) return true;
  return text.length * 3 > bytes && Buffer.byteLength(text, "utf8") > bytes;
}
