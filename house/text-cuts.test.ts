import { expect, test } from "vitest";
import { isTest, sourceFiles } from "./source-files.ts";

/** Where texts of other services, models and actions are handled. */
const folders = [
  "packages/engine/src/agent",
  "packages/engine/src/connections",
  "packages/engine/src/deliveries",
  "packages/engine/src/effects",
  "packages/engine/src/outgoing",
  "packages/integrations/src/calls",
  "packages/integrations/src/custom-api",
  "packages/private-connection/src",
];

/** Cuts of texts that are redacted already, or that hold no secret: each with its reason. */
const allowed: Readonly<Record<string, string>> = {
  "packages/engine/src/agent/agent-step.ts": "A reply is redacted when it comes (ask-model.ts).",
  "packages/engine/src/agent/judge-reply.ts": "A reply is redacted when it comes (ask-model.ts).",
  "packages/engine/src/agent/model-tool.ts": "The description of a tool is the document's.",
  "packages/engine/src/agent/prompt-data.ts": "A place within the run's own data.",
  "packages/engine/src/agent/tool-of-node.ts": "The description of an action is the document's.",
  "packages/engine/src/connections/call-watch.ts": "The guarded client's own words, or a test's, which are redacted.",
  "packages/engine/src/connections/connection-record.ts": "An id.",
  "packages/integrations/src/custom-api/fetch-document.ts": "An address that is fetched without credentials.",
  "packages/integrations/src/custom-api/prepare-connection.ts": "The title of a document.",
  "packages/private-connection/src/invocations/run-invocation.ts": "The name of a function.",
  "packages/private-connection/src/service/hide-token.ts": "It cuts what holds no token any more.",
};

/** Lists are cut by the same method; these are lists by their names. */
const cut = /\b(?<what>[\w.)\]]+)\.(slice|substring|substr)\(0,(?! -1\b)[^)]*\)/g;
const list =
  /(issues|problems|changes|waiting|handedOut|entries\(headers\)|queue|expecting|versions|found|some|\)|\])$/;

test("texts of others are cut by a redactor, which takes secrets out first", () => {
  const cuts = sourceFiles(folders)
    .filter(({ path }) => !isTest(path) && allowed[path] === undefined)
    .flatMap(({ path, text }) =>
      [...text.matchAll(cut)]
        .filter(({ groups }) => !list.test(groups?.["what"] ?? ""))
        .map(([one]) => `${path}: ${one}`),
    );
  expect(cuts).toEqual([]);
});

test("no reason outlives its cut", () => {
  const cutting = new Set(
    sourceFiles(folders)
      .filter(({ text }) => text.search(cut) !== -1)
      .map(({ path }) => path),
  );
  expect(Object.keys(allowed).filter((path) => !cutting.has(path))).toEqual([]);
});
