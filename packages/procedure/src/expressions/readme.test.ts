import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonValue } from "@procedo/contract";
import { describe, expect, test } from "vitest";
import { problemsOf, untyped, valueOf } from "./sample-scope.ts";

const readme = readFileSync(join(import.meta.dirname, "README.md"), "utf8");
const input = JSON.parse(/`input` is `(\{.*\})`/.exec(readme)?.[1] ?? "") as JsonValue;
const examples = [...readme.matchAll(/^\| `(.*?)` \| (.*) \|$/gm)].map(([, source = "", given = ""]) => [
  source,
  given,
]);

describe("the examples of README.md hold", () => {
  test("and each part has some", () => {
    expect(examples.length).toBeGreaterThan(25);
  });

  test.each(examples)("%s gives %s", (source, given) => {
    const [kind, message = ""] = given.split(/: (.*)/);
    if (kind === "refused") expect(problemsOf(source, untyped)).toContain(message);
    else if (kind === "fails") expect(() => valueOf(source, input)).toThrow(message);
    else if (kind === "absent") expect(valueOf(source, input)).toBeUndefined();
    else expect(valueOf(source, input)).toEqual(JSON.parse(given.slice(1, -1)));
  });
});
