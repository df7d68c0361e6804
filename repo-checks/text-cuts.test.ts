import { existsSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { root } from "../scripts/workspace.ts";
import { createProgram } from "./program.ts";
import { isTest, sourceFiles } from "./source-files.ts";

/** The folders that handle texts of other services, models and actions. */
const folders = [
  "packages/engine/src/agent",
  "packages/engine/src/models",
  "packages/engine/src/connections",
  "packages/engine/src/private-connections",
  "packages/engine/src/deliveries",
  "packages/engine/src/calls",
  "packages/engine/src/egress",
  "packages/integrations/src/calls",
  "packages/integrations/src/custom-api",
  "packages/private-connection/src",
];

/** Cuts of texts that are redacted already, or that contain no secret: each with its reason. */
const allowed: Readonly<Record<string, string>> = {
  "packages/engine/src/agent/agent-step.ts": "A reply is redacted when it comes (ask-model.ts).",
  "packages/engine/src/models/argument-names.ts": "The name of an argument is the document's.",
  "packages/engine/src/agent/judge-reply.ts": "A reply is redacted when it comes (ask-model.ts).",
  "packages/engine/src/models/model-names.ts": "The name of a tool is the procedure's.",
  "packages/engine/src/models/model-tool.ts": "The description of a tool is the document's.",
  "packages/engine/src/agent/prompt-data.ts": "A place within the run's own data.",
  "packages/engine/src/agent/tool-of-node.ts": "The description of an action is the document's.",
  "packages/engine/src/connections/connection-health.ts":
    "The guarded client's own words, or a test's, which are redacted.",
  "packages/engine/src/connections/private/manifests.ts": "The id of a record.",
  "packages/engine/src/private-connections/presence.ts": "The id and the version of a client, stated by the client.",
  "packages/engine/src/private-connections/result-notification.ts":
    "The engine has no secret of a client's functions; the client removes its own token (hide-token.ts).",
  "packages/integrations/src/calls/service-reason.ts": "A body that is redacted before it is looked through.",
  "packages/integrations/src/custom-api/fetch-document.ts": "An address that is fetched without credentials.",
  "packages/integrations/src/custom-api/prepare-connection.ts": "The title of a document.",
  "packages/private-connection/src/invocations/run-invocation.ts": "The name of a function.",
  "packages/private-connection/src/service/hide-token.ts": "It cuts a text from which the token was removed.",
};

const files = sourceFiles(folders)
  .map(({ path }) => path)
  .filter((path) => !isTest(path));
const program = createProgram(files.map((path) => join(root, path)));
const checker = program.getTypeChecker();

/** The cuts of a file: `text.slice(0, most)`. Lists have the same method, but are not texts. */
function cutsIn(path: string): readonly string[] {
  const source = program.getSourceFile(join(root, path));
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && isCut(node)) found.push(`${path}: ${node.getText(source)}`);
    ts.forEachChild(node, visit);
  };
  if (source !== undefined) visit(source);
  return found;
}

/** A part of a hash contains no secret. */
const digest = /^hash\(|\.digest\([^)]*\)$/;

function isCut({ expression, arguments: [from, to] }: ts.CallExpression): boolean {
  if (!ts.isPropertyAccessExpression(expression) || !/^(slice|substring|substr)$/.test(expression.name.text))
    return false;
  if (from?.getText() !== "0" || to === undefined || to.getText() === "-1") return false;
  if (digest.test(expression.expression.getText())) return false;
  const { flags } = checker.getTypeAtLocation(expression.expression);
  return (flags & ts.TypeFlags.StringLike) !== 0;
}

test("texts from other parties are cut by a redactor, which first removes secrets", () => {
  expect(files.filter((path) => allowed[path] === undefined).flatMap(cutsIn)).toEqual([]);
});

test("every searched folder exists", () => {
  expect(folders.filter((folder) => !existsSync(join(root, folder)))).toEqual([]);
});

test("every recorded reason belongs to a cut in a searched folder", () => {
  expect(Object.keys(allowed).filter((path) => !files.includes(path) || cutsIn(path).length === 0)).toEqual([]);
});
