import { validate } from "@readme/openapi-parser";
import { expect, test } from "vitest";
import { operations } from "../src/operations/operations.ts";
import { openApiDocument } from "@procedo/http";
import { openApi } from "./harness.ts";

test("the document is valid OpenAPI 3.1", async () => {
  const result = await validate(structuredClone(openApi) as unknown as Parameters<typeof validate>[0]);
  expect(result).toMatchObject({ valid: true });
});

test("the document has every operation of the table, and no others", () => {
  const documented = Object.entries(openApi.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => `${method} ${path} ${String(operationId)}`),
  );
  const served = operations.map(
    ({ method, path, id }) => `${method.toLowerCase()} ${path.replaceAll(/:(\w+)/g, "{$1}")} ${id}`,
  );
  expect(documented.sort()).toEqual(served.sort());
});

test("the document names the contract's statuses of a run and of a decision", () => {
  const statusesOf = (path: string) =>
    Object.keys((openApi.paths[path]?.["post"]?.["responses"] as object | undefined) ?? {});
  expect(statusesOf("/v1/procedures/{procedureId}/{environment}")).toEqual(
    expect.arrayContaining(["200", "202", "400", "401", "403", "404", "409", "413", "415", "422", "429", "504"]),
  );
  expect(statusesOf("/api/runner-proxy/review/{runId}")).toEqual(
    expect.arrayContaining(["200", "400", "401", "403", "404", "409", "412", "422"]),
  );
});

test("the document contains all schemas that it refers to, and no others", () => {
  const referred = new Set(
    [...JSON.stringify(openApi).matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name]) => name),
  );
  expect([...referred].sort()).toEqual(Object.keys(openApi.components.schemas).sort());
});

test("the document puts the Runner API and the operations of private clients under addresses of their own", () => {
  const [runnerUrl, appUrl, sdkUrl] = ["https://run.example", "https://app.example", "https://sdk.example"];
  const document = openApiDocument({ runnerUrl, appUrl, sdkUrl });
  expect(document.servers).toEqual([{ url: appUrl }]);
  const under = (url: string) =>
    Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.values(methods).flatMap(({ servers }) =>
        JSON.stringify(servers) === JSON.stringify([{ url }]) ? path : [],
      ),
    );
  expect(under(runnerUrl)).toEqual(["/v1/procedures/{procedureId}/{environment}", "/runs/{runId}"]);
  const sdk = ["/v1/sdk/functions", "/v1/sdk/poll", "/v1/sdk/heartbeat", "/v1/sdk/result", "/v1/sdk/results"];
  expect(under(sdkUrl)).toEqual(sdk);
  const withRunner = openApiDocument({ runnerUrl, appUrl });
  expect(withRunner.paths["/v1/sdk/poll"]?.["get"]?.["servers"]).toEqual([{ url: runnerUrl }]);
});
