import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";
import { describe, expect, it } from "vitest";
import { compileSchema } from "@procedo/procedure";
import { type ImportedApi, importDocument } from "@procedo/integrations/openapi";

const folderOf = (name: string): string => path.dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
const examples = folderOf("@readme/oas-examples");
const exampleFiles = globSync("{2.0,3.0}/{json,yaml}/**/*.{json,yaml}", { cwd: examples }).toSorted();
const gitHub = path.join(folderOf("@octokit/openapi"), "generated", "api.github.com.json");

/** Errors of documents that their authors consider valid, with the reasons. */
const judged: Record<string, readonly string[]> = {
  // Without operations.
  title: ["/paths"],
};

function expectWhole({ operations }: ImportedApi): void {
  expect(new Set(operations.map(({ name }) => name)).size).toBe(operations.length);
  for (const { name, inputs, input } of operations) {
    const compiled = compileSchema(input, { unsupportedPatterns: "ignore" });
    expect(compiled.ok ? [] : compiled.problems, name).toEqual([]);
    expect(Object.keys(input["properties"] ?? {}), name).toEqual(inputs.map((each) => each.input));
    const required = inputs.filter((each) => each.required).map((each) => each.input);
    expect(input["required"] ?? [], name).toEqual(required);
  }
}

describe("documents of @readme/oas-examples", () => {
  it("are numerous, in both versions and syntaxes", () => {
    expect(exampleFiles.length).toBeGreaterThan(90);
  });

  it.each(exampleFiles)("%s is imported without errors, except known ones", (file) => {
    const result = importDocument(readFileSync(path.join(examples, file), "utf8"));
    const problems = result.ok ? result.api.problems : result.problems;
    const errors = problems.filter(({ severity }) => severity === "error").map(({ pointer }) => pointer);
    expect(errors).toEqual(judged[path.basename(file).replace(/\.\w+$/, "")] ?? []);
    if (result.ok) expectWhole(result.api);
  });

  it("give the same actions as JSON and as YAML", () => {
    const actionsOf = (file: string) => {
      const result = importDocument(readFileSync(path.join(examples, file), "utf8"));
      return result.ok ? result.api.operations : [];
    };
    const pairs = exampleFiles.flatMap((file) => {
      const twin = file.replace("/yaml/", "/json/").replace(/\.yaml$/, ".json");
      return file.endsWith(".yaml") && exampleFiles.includes(twin) ? [[file, twin] as const] : [];
    });
    expect(pairs.length).toBeGreaterThan(40);
    const differing = pairs.filter(([file, twin]) => {
      const [inYaml, inJson] = [actionsOf(file), actionsOf(twin)].map((each) =>
        each.map(({ name }) => name).toSorted(),
      );
      return JSON.stringify(inYaml) !== JSON.stringify(inJson);
    });
    expect(differing).toEqual([]);
  });
});

describe("GitHub's document", () => {
  const result = importDocument(readFileSync(gitHub, "utf8"));
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  const { api } = result;

  it("provides all its operations, under their operationIds", () => {
    const { paths } = JSON.parse(readFileSync(gitHub, "utf8")) as {
      paths: Record<string, Record<string, { operationId: string }>>;
    };
    const ids = Object.values(paths).flatMap((item) =>
      Object.values(item).flatMap(({ operationId }) => operationId ?? []),
    );
    expect(api.operations.map(({ name }) => name)).toEqual(ids);
    expect(api.problems.filter(({ severity }) => severity === "error")).toEqual([]);
    expect(api.baseUrl).toBe("https://api.github.com");
  });

  it("provides schemas that compile, with one input for each property", () => {
    expectWhole({ ...api, operations: api.operations.filter((_, index) => index % 5 === 0) });
  });
});
