import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "@procedo/contract";
import { outOfBounds } from "@procedo/procedure";
import { readDocument } from "../document/read-document.ts";
import { accepts, translatorOf } from "./schema-fixtures.fixture.ts";
import { isObject } from "./json-object.ts";

const folder = dirname(createRequire(import.meta.url).resolve("@octokit/openapi/package.json"));

describe("the schemas of a document of 11 MB", () => {
  it("are all translated without a fault and within the engine's limits, for requests and responses", () => {
    const read = readDocument(readFileSync(join(folder, "generated", "ghes-3.17.json"), "utf8"));
    if (!read.ok) throw new Error(JSON.stringify(read.problems));
    const names = Object.keys((read.document.root["components"] as JsonObject)["schemas"] as JsonObject);
    expect(names.length).toBeGreaterThan(500);
    for (const purpose of ["request", "response"] as const) {
      const translator = translatorOf(read.document, purpose);
      for (const [index, name] of names.entries()) {
        const { schema, problems } = translator.translate(
          { $ref: `#/components/schemas/${name}` },
          `/components/schemas/${name}`,
        );
        expect(problems.filter(({ severity }) => severity === "error")).toEqual([]);
        const assembled = translator.assemble(schema, { values: 2_000 });
        expect(outOfBounds(assembled, { depth: 60, values: 2_500 })).toBeUndefined();
        // Compiling all of them would take long and prove nothing more.
        if (index % 40 === 0) expect(accepts(assembled, null)).toEqual(expect.any(Boolean));
        const members = translator.membersOf(schema);
        for (const required of members?.required ?? []) expect(typeof required).toBe("string");
        if (members !== undefined) expect([...members.properties.values()].every(isObject)).toBe(true);
      }
    }
  });
});
