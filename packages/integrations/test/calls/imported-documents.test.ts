import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { ProcedoError, type JsonObject } from "@procedo/contract";
import { compileSchema } from "@procedo/procedure";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { importDocument } from "../../src/openapi/index.ts";
import type { ImportedOperation } from "../../src/openapi/imported-api.ts";
import { compareRequest } from "./compare-request.ts";
import { call } from "./operations.ts";
import { recordingServer, type RecordingServer } from "./recording-server.ts";
import { sampleArguments } from "./sample-arguments.ts";

let server: RecordingServer;
beforeAll(async () => {
  server = await recordingServer();
  server.answers = [{ status: 204 }];
});
afterAll(() => server.close());

const examples = dirname(createRequire(import.meta.url).resolve("@readme/oas-examples/package.json"));
const documents = ["2.0/json", "3.0/json"].flatMap((folder) =>
  readdirSync(join(examples, folder))
    .filter((file) => file.endsWith(".json"))
    .map((file) => join(folder, file)),
);

/** Schemas that no value matches, as intended by their authors, or whose values this test cannot generate. */
const notMadeUp = new Set([
  // A text that is also a number, and a tree in which every node needs a parent.
  "quirks_entirelyIncompatibleAllOf",
  "quirks_partiallyUsableIncompatibleAllOf",
  "directCircular",
  "get_anything_strings",
]);

/** Valid arguments with all members and with the required ones, as far as they can be generated. */
function argumentsFor({ input }: ImportedOperation): readonly JsonObject[] {
  const compiled = compileSchema(input, { unsupportedPatterns: "ignore" });
  const candidates = [true, false].map((optional) => sampleArguments(input, optional));
  return candidates.filter((args) => compiled.ok && compiled.validator.validate(args).length === 0);
}

/** The first arguments that HTTP can carry. A header, for example, cannot contain a nested object. */
async function sendFirst(operation: ImportedOperation): Promise<JsonObject | undefined> {
  for (const args of argumentsFor(operation)) {
    try {
      await call(operation, args, { baseUrl: `${server.origin}/base` });
      return args;
    } catch (error) {
      if (!ProcedoError.isError(error) || error.code !== "invalid_input") throw error;
    }
  }
  return undefined;
}

describe("every operation of published documents is sent as its document requires", () => {
  test.each(documents)("%s", async (file) => {
    const text = readFileSync(join(examples, file), "utf8");
    const imported = importDocument(text);
    if (!imported.ok) throw new Error(`${file} was refused.`, { cause: imported.problems });
    const root = JSON.parse(text) as JsonObject;
    const left: string[] = [];
    for (const operation of imported.api.operations) {
      const args = await sendFirst(operation);
      if (args === undefined) left.push(operation.name);
      else await compareRequest(server.last(), root, operation, args);
    }
    expect(left.filter((name) => !notMadeUp.has(name))).toEqual([]);
  });
});
