import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { httpReference } from "./http-reference.ts";
import { root } from "./workspace.ts";

const reference = httpReference();

test("docs/http-reference.md matches the OpenAPI document (pnpm docs:update)", () => {
  expect(readFileSync(join(root, "docs/http-reference.md"), "utf8")).toBe(reference);
});

test("every link within the reference points to a heading", () => {
  const headings = new Set([...reference.matchAll(/^#+ (.+)$/gm)].map(([, text = ""]) => text.toLowerCase()));
  const links = [...reference.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor = ""]) => anchor);
  expect(links.length).toBeGreaterThan(100);
  expect(links.filter((anchor) => !headings.has(anchor))).toEqual([]);
});

test("the reference shows bounds, defaults and nested fields", () => {
  expect(reference).toContain("| `control.executionTimeout` (optional) | number |");
  expect(reference).toContain("At least 1000, at most 300000, default `60000`.");
  expect(reference).toContain("| `run_not_found` | 404 |  |");
});
