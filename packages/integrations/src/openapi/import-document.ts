import type { JsonObject } from "@procedo/contract";
import type { ApiDocument } from "./document/api-document.ts";
import { readDocument } from "./document/read-document.ts";
import type { ImportedOperation, ImportProblem, ImportResult } from "./imported-api.ts";
import { nameActions } from "./names/action-names.ts";
import { readHost, readServers } from "./operations/base-url.ts";
import { findOperations } from "./operations/find-operations.ts";
import { createLostReferences } from "./operations/lost-references.ts";
import { createOutputs } from "./operations/outputs.ts";
import { isObject, own } from "./schema/json-object.ts";
import { readOperation } from "./operations/read-operation.ts";
import type { Reading } from "./operations/reading.ts";
import { createReadingRoom } from "./operations/reading-room.ts";
import { readSecuritySchemes } from "./operations/security.ts";
import { nameUnreadReferences } from "./operations/unread-references.ts";
import { writtenReferences } from "./operations/written-references.ts";
import {
  createProblemList,
  errorAt,
  isError,
  listProblems,
  type ProblemList,
  shown,
  warningAt,
} from "./problem-list.ts";
import { createReferences } from "./schema/references.ts";
import { createSchemaTranslator } from "./schema/schema-translator.ts";

/** Operations of one document. */
export const maxOperations = 25_000;

/**
 * Reads an OpenAPI 3.0 or Swagger 2.0 document, JSON or YAML, into operations. Valid operations are imported; invalid
 * parts are listed with their place and the reason. Nothing is fetched or opened, regardless of references in the
 * document. Time and memory are bounded by the size of the text.
 *
 * @param text - the document; at most 20 MiB as UTF-8
 * @example
 * const imported = importDocument(await readFile("./ledger.yaml", "utf8"));
 * if (imported.ok) console.log(imported.api.operations.map((operation) => operation.name));
 * else console.error(imported.problems);
 */
export function importDocument(text: string): ImportResult {
  const read = readDocument(text);
  if (!read.ok) return { ok: false, problems: read.problems };
  const { document } = read;
  const problems = createProblemList();
  const head = readHead(document.root, problems);
  const { baseUrl, operations } = readPaths(text, document, problems);
  if (operations.length === 0 && !problems.found.some(isError)) {
    problems.add([errorAt("/paths", "names no operation; add one.")]);
  }
  const listed = listProblems(problems, document);
  if (head === undefined || operations.length === 0) return { ok: false, problems: listed };
  return { ok: true, api: { ...head, baseUrl, operations, problems: listed } };
}

/** Title and version; `undefined` when a required part of the document is missing. */
function readHead(root: JsonObject, problems: ProblemList): { title: string; version: string } | undefined {
  const faults: ImportProblem[] = [];
  const info = own(root, "info");
  if (info === undefined) faults.push(warningAt("", 'has no "info", which says the title and the version.'));
  else if (!isObject(info)) faults.push(warningAt("/info", `must be an object, not ${shown(info)}.`));
  const paths = own(root, "paths");
  if (paths === undefined) faults.push(errorAt("/paths", 'is missing; "paths" says what can be called.'));
  else if (!isObject(paths)) faults.push(errorAt("/paths", `must be an object, not ${shown(paths)}.`));
  const [title, version] = ["title", "version"].map((member) => {
    const value = isObject(info) ? own(info, member) : "";
    if (typeof value === "string") return value;
    faults.push(warningAt(`/info/${member}`, `must be a text, not ${shown(value ?? null)}.`));
    // JSON documents also use numbers as versions.
    return typeof value === "number" ? String(value) : "";
  });
  problems.add(faults);
  return faults.some(isError) ? undefined : { title: title ?? "", version: version ?? "" };
}

function readPaths(
  text: string,
  document: ApiDocument,
  problems: ProblemList,
): { baseUrl: string | undefined; operations: readonly ImportedOperation[] } {
  const { dialect, root } = document;
  const references = createReferences(root);
  const room = createReadingRoom();
  const written = writtenReferences(text, references);
  const reading: Reading = {
    dialect,
    root,
    references,
    requests: createSchemaTranslator(document, references, "request"),
    outputs: createOutputs(document, references, room),
    lostReferences: createLostReferences(references, written),
    problems,
    room,
    parameters: new Map(),
  };
  const baseUrl = dialect === "swagger-2.0" ? readHost(root, problems) : readServers(root, problems);
  const security = readSecuritySchemes(reading, problems);
  security.check(root, "", problems);
  const paths = own(root, "paths");
  const sites = isObject(paths) ? findOperations(reading, paths, problems) : [];
  if (sites.length > maxOperations) {
    const message = `has ${sites.length} operations; the limit is ${maxOperations}. Give a part of the document.`;
    problems.push(errorAt("/paths", message));
    return { baseUrl, operations: [] };
  }
  const { names, problems: nameProblems } = nameActions(sites);
  problems.add(nameProblems);
  const operations: ImportedOperation[] = [];
  for (const [index, site] of sites.entries()) {
    if (reading.room.isFull) {
      problems.push(errorAt(site.pointer, "is not imported: the document's references are too large to read."));
      continue;
    }
    const { operation, problems: found } = readOperation(reading, site, names[index] ?? "", security);
    problems.add(found);
    if (operation !== undefined) operations.push(operation);
  }
  if (written.leadOut) nameUnreadReferences(root, references, problems);
  return { baseUrl, operations };
}
