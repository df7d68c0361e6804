import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "@procedo/contract";
import { readDocument } from "./read-document.ts";

const examples = dirname(createRequire(import.meta.url).resolve("@readme/oas-examples/package.json"));
const names = ["2.0", "3.0"]
  .flatMap((version) =>
    readdirSync(join(examples, version, "yaml")).map((file) => [version, file.replace(/\.yaml$/, "")] as const),
  )
  // The only pairs that differ in more than white space.
  .filter(([version, name]) => version !== "2.0" || name !== "petstore-expanded");

describe("an example in both JSON and YAML", () => {
  it.each(names)("%s %s is the same document", (version, name) => {
    const yaml = readFileSync(join(examples, version, "yaml", `${name}.yaml`), "utf8");
    const json = readFileSync(join(examples, version, "json", `${name}.json`), "utf8");
    const [fromYaml, fromJson] = [readDocument(yaml), readDocument(json)];
    if (!fromYaml.ok || !fromJson.ok) throw new Error(JSON.stringify([fromYaml, fromJson]));
    expect(trimmed(fromYaml.document.root)).toEqual(trimmed(fromJson.document.root));
    expect(fromYaml.document.dialect).toBe(version === "2.0" ? "swagger-2.0" : "openapi-3.0");
  });
});

/** Some pairs differ in the white space of their descriptions. */
function trimmed(root: JsonObject): unknown {
  return JSON.parse(
    JSON.stringify(root, (_name, value: unknown) =>
      typeof value === "string" ? value.replace(/\s+/g, " ").trim() : value,
    ),
  );
}
