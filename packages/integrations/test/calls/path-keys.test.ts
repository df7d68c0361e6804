import type { JsonObject } from "@procedo/contract";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { importDocument, type ImportedApi } from "../../src/openapi/index.ts";
import { answers, imported, openApi, problemsOf } from "../openapi/documents.ts";
import { call } from "./operations.ts";
import { recordingServer, type RecordingServer } from "./recording-server.ts";

let server: RecordingServer;
beforeAll(async () => {
  server = await recordingServer();
});
afterAll(() => server.close());
beforeEach(() => {
  server.requests.splice(0);
});

/** An operation for each key, with a path parameter for each name. */
function document(keys: Readonly<Record<string, readonly string[]>>, method = "get"): string {
  const paths = Object.entries(keys).map(([key, names]) => {
    const parameters = names.map((name) => ({ name, in: "path", required: true, schema: { type: "string" } }));
    return [key, { [method]: { parameters, responses: answers } }] as const;
  });
  return openApi(Object.fromEntries(paths));
}

async function targetOf({ operations }: ImportedApi, name: string, args: JsonObject): Promise<string> {
  const operation = operations.find((one) => one.name === name);
  if (operation === undefined) throw new Error(`There is no ${name}: ${operations.map((one) => one.name).join()}`);
  await call(operation, args, { baseUrl: `${server.origin}/v1` });
  return server.last().target;
}

describe("what stands beside a path parameter in its segment is sent as it is written", () => {
  test.each<[string, JsonObject, string]>([
    ["/search/{query}.{ext}", { query: "rue de l'Eau", ext: "json" }, "/v1/search/rue%20de%20l%27Eau.json"],
    ["/compare/{from}..{to}", { from: "v1.0", to: "main" }, "/v1/compare/v1.0..main"],
    ["/compare/{from}...{to}", { from: "a/b", to: "c" }, "/v1/compare/a%2Fb...c"],
    ["/{a}.{b}", { a: ".", b: "x" }, "/v1/..x"],
    ["/v1.{x}", { x: "2" }, "/v1/v1.2"],
    ["/{x}.json", { x: "report" }, "/v1/report.json"],
    ["/.{x}", { x: "env" }, "/v1/.env"],
    ["/{x}.", { x: "end" }, "/v1/end."],
    ["/{id}:cancel", { id: "p:1" }, "/v1/p%3A1:cancel"],
    ["/{a},{b}", { a: "1,2", b: "3" }, "/v1/1%2C2,3"],
    ["/{a};{b}", { a: "1", b: "2;3" }, "/v1/1;2%3B3"],
    ["/{id}/copies/{id}", { id: "7" }, "/v1/7/copies/7"],
    ["/a//{id}/", { id: "7" }, "/v1/a//7/"],
    ["/a%2Fb/{id}", { id: "7" }, "/v1/a%2Fb/7"],
    ["/{user-id}/{$top}/{a b}", { "user-id": "1", $top: "$&", "a b": "3" }, "/v1/1/%24%26/3"],
  ])("%s", async (key, args, target) => {
    const text = document({ [key]: Object.keys(args) });
    expect(problemsOf(text)).toEqual([]);
    const api = imported(text);
    expect(await targetOf(api, api.operations[0]?.name ?? "", args)).toBe(target);
  });

  test.each<[string, JsonObject]>([
    ["/{a}.{b}/x", { a: "..", b: "/../y" }],
    ["/{a}.", { a: "." }],
    ["/.{a}", { a: "." }],
    ["/{a};{b}", { a: "..", b: "x" }],
    ["/{a}.{b}", { a: "", b: "x" }],
  ])("but %s with %j, which would be another path, is not sent", async (key, args) => {
    const api = imported(document({ [key]: Object.keys(args) }));
    await expect(targetOf(api, api.operations[0]?.name ?? "", args)).rejects.toMatchObject({ code: "invalid_input" });
    expect(server.requests).toEqual([]);
  });
});

describe("the fragment of a path key", () => {
  const withIds = (keys: Readonly<Record<string, string>>): string =>
    openApi(
      Object.fromEntries(
        Object.entries(keys).map(([key, operationId]) => [key, { post: { operationId, responses: answers } }]),
      ),
    );

  test("tells operations apart and is not sent", async () => {
    const text = withIds({ "/files": "create", "/files#copy": "copy", "/files#move": "move" });
    const api = imported(text);
    expect(api.operations.map(({ name, path }) => [name, path])).toEqual([
      ["create", "/files"],
      ["copy", "/files#copy"],
      ["move", "/files#move"],
    ]);
    for (const { name } of api.operations) expect(await targetOf(api, name, {})).toBe("/v1/files");
    expect(api.problems).toMatchObject([
      { severity: "warning", pointer: "/paths/~1files#copy", message: expect.stringContaining('"/files"') as string },
      { severity: "warning", pointer: "/paths/~1files#move", message: expect.stringContaining('"#move"') as string },
    ]);
  });

  test("names an operation without an operationId", () => {
    const names = imported(document({ "/files": [], "/files#copy": [] })).operations.map(({ name }) => name);
    expect(names).toEqual(["get_files", "get_files#copy"]);
  });

  test("is warned of where the key before it differs by it alone", () => {
    const problems = problemsOf(withIds({ "/files#copy": "copy", "/files": "create" }));
    expect(problems.map(({ severity, pointer }) => [severity, pointer])).toEqual([
      ["warning", "/paths/~1files#copy"],
      ["warning", "/paths/~1files"],
    ]);
    expect(problems[1]?.message).toContain('what follows "#" differs');
  });

  test("declares no parameter", () => {
    const text = document({ "/files/{id}#{mode}": ["id"] });
    const result = importDocument(text);
    expect(result.ok && result.api.operations[0]?.inputs.map(({ name }) => name)).toEqual(["id"]);
  });
});

describe("the query of a path key", () => {
  const parameters = [
    { name: "method", in: "query", schema: { type: "string" } },
    { name: "page", in: "query", schema: { type: "integer" } },
  ];
  const get = { parameters, responses: answers };
  const text = openApi({ "/rest?method=a.b&full&q=x y%26#c": { get: { operationId: "list", ...get } } });

  test("is sent with each call, before the arguments, once", async () => {
    const api = imported(text);
    expect(await targetOf(api, "list", {})).toBe("/v1/rest?method=a.b&full&q=x%20y%26");
    expect(await targetOf(api, "list", { page: 2 })).toBe("/v1/rest?method=a.b&full&q=x%20y%26&page=2");
    expect(await targetOf(api, "list", { method: "c" })).toBe("/v1/rest?full&q=x%20y%26&method=c");
  });

  test("gives way to the connection's key of the same name", async () => {
    const [operation] = imported(openApi({ "/rest?key=none&v=2": { get } })).operations;
    if (operation === undefined) throw new Error("There is none.");
    const authentication = { method: "api_key_query", parameter: "key" } as const;
    await call(operation, {}, { baseUrl: server.origin, authentication, secrets: { apiKey: "k-1" } });
    expect(server.last().target).toBe("/rest?v=2&key=k-1");
  });

  test("is warned of, and tells addresses apart", () => {
    const keys = { "/rest?v=1": { get }, "/rest?v=2": { get } };
    expect(problemsOf(openApi(keys)).map(({ severity, pointer, message }) => [severity, pointer, message])).toEqual([
      ["warning", "/paths/~1rest?v=1", 'The path has the query "?v=1"; each call carries it.'],
      ["warning", "/paths/~1rest?v=2", 'The path has the query "?v=2"; each call carries it.'],
    ]);
  });

  test("with a parameter in it is refused: nothing says how it is written", () => {
    const problems = problemsOf(document({ "/rest?page={page}": ["page"] }));
    expect(problems).toMatchObject([
      { severity: "error", pointer: "/paths/~1rest?page={page}", message: expect.stringContaining("query") as string },
    ]);
  });
});
