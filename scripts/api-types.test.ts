import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { apiTypes, apiTypesPath } from "./api-types.ts";
import { root } from "./workspace.ts";

test("the dashboard's types of the API match the OpenAPI document (pnpm docs:update)", async () => {
  expect(readFileSync(join(root, apiTypesPath), "utf8")).toBe(await apiTypes());
});
