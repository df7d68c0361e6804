import { validate } from "@readme/openapi-parser";
import { expect, test } from "vitest";
import { operations } from "../src/operations/operations.ts";
import { openApiDocument } from "@procedo/http";
import { openApi } from "./bench.ts";

test("is valid OpenAPI 3.1", async () => {
  const result = await validate(structuredClone(openApi) as unknown as Parameters<typeof validate>[0]);
  expect(result).toMatchObject({ valid: true });
});

test("has every operation of the table, and no other", () => {
  const documented = Object.entries(openApi.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => `${method} ${path} ${String(operationId)}`),
  );
  const served = operations.map(
    ({ method, path, id }) => `${method.toLowerCase()} ${path.replaceAll(/:(\w+)/g, "{$1}")} ${id}`,
  );
  expect(documented.sort()).toEqual(served.sort());
});

test("names the contract's statuses of a run and of a decision", () => {
  const statusesOf = (path: string) =>
    Object.keys((openApi.paths[path]?.["post"]?.["responses"] as object | undefined) ?? {});
  expect(statusesOf("/v1/procedures/{procedureId}/{environment}")).toEqual(
    expect.arrayContaining(["200", "202", "400", "401", "403", "404", "409", "413", "415", "422", "429", "504"]),
  );
  expect(statusesOf("/api/runner-proxy/review/{runId}")).toEqual(
    expect.arrayContaining(["200", "400", "401", "403", "404", "409", "412", "422"]),
  );
});

test("refers to nothing that is not in it, and has no schema that nothing refers to", () => {
  const referred = new Set(
    [...JSON.stringify(openApi).matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name]) => name),
  );
  expect([...referred].sort()).toEqual(Object.keys(openApi.components.schemas).sort());
});

test("puts the Runner API under its own address when that is another", () => {
  const document = openApiDocument({ runnerUrl: "https://run.example", appUrl: "https://app.example" });
  expect(document.servers).toEqual([{ url: "https://app.example" }]);
  const own = Object.entries(document.paths).filter(([, methods]) =>
    Object.values(methods).some((one) => "servers" in one),
  );
  expect(own.map(([path]) => path)).toEqual(["/v1/procedures/{procedureId}/{environment}", "/runs/{runId}"]);
});
