import type { JsonObject } from "@procedo/contract";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { importDocument, type ImportedApi } from "../../src/openapi/index.ts";
import { jsonPointer } from "@procedo/contract/syntax";
import { answers, imported, onlyOperation, openApi, problemsOf, takes } from "../openapi/documents.ts";
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

describe("text beside a path parameter in its segment is sent unchanged", () => {
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
  ])("but %s with %j, which would change the path, is not sent", async (key, args) => {
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

  test("distinguishes operations and is not sent", async () => {
    const text = withIds({ "/files": "create", "/files#copy": "copy", "/files#move": "move" });
    const api = imported(text);
    expect(api.operations.map(({ name, path }) => [name, path])).toEqual([
      ["create", "/files"],
      ["copy", "/files#copy"],
      ["move", "/files#move"],
    ]);
    for (const { name } of api.operations) expect(await targetOf(api, name, {})).toBe("/v1/files");
    const message = 'The path ends in "#copy", which no request carries: "/files" is sent.';
    const same = 'The address is then the same as that of "/files". Other paths end in a fragment as well: 1.';
    expect(api.problems).toMatchObject([
      { severity: "warning", pointer: "/paths/~1files#copy", message: `${message} ${same}` },
    ]);
  });

  test("names an operation without an operationId", () => {
    const names = imported(document({ "/files": [], "/files#copy": [] })).operations.map(({ name }) => name);
    expect(names).toEqual(["get_files", "get_files#copy"]);
  });

  test("causes a warning when it is the only difference to an earlier key", () => {
    const problems = problemsOf(withIds({ "/files#copy": "copy", "/files": "create" }));
    expect(problems.map(({ severity, pointer }) => [severity, pointer])).toEqual([
      ["warning", "/paths/~1files#copy"],
      ["warning", "/paths/~1files"],
    ]);
    expect(problems[1]?.message).toContain('the text after "#" differs');
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

  test("is replaced by the connection's key of the same name", async () => {
    const [operation] = imported(openApi({ "/rest?key=none&v=2": { get } })).operations;
    if (operation === undefined) throw new Error("There is none.");
    const authentication = { method: "api_key_query", parameter: "key" } as const;
    await call(operation, {}, { baseUrl: server.origin, authentication, secrets: { apiKey: "k-1" } });
    expect(server.last().target).toBe("/rest?v=2&key=k-1");
  });

  test("distinguishes addresses", () => {
    const keys = { "/rest?v=1": { get }, "/rest?v=2": { get } };
    expect(problemsOf(openApi(keys)).map(({ pointer }) => pointer)).toEqual(["/paths/~1rest?v=1"]);
  });

  test.each<[string, readonly JsonObject[], JsonObject, string]>([
    ["declared in path", [{ name: "page", in: "path" }], { page: "1 &+é" }, "/v1/rest?v=1&page=1%20%26%2B%C3%A9"],
    ["declared in query", [{ name: "page", in: "query" }], { page: "2" }, "/v1/rest?v=1&page=2"],
    ["not declared", [], { page: 3 }, "/v1/rest?v=1&page=3"],
    ["left out", [], {}, "/v1/rest?v=1"],
  ])("has parameters, which are sent as query parameters: %s", async (_, declared, args, target) => {
    const parameters = declared.map((each) => ({ ...each, required: true, schema: { type: "string" } }));
    const text = openApi({ "/rest?v=1&page={page}": { get: { operationId: "list", parameters, responses: answers } } });
    const api = imported(text);
    expect(takes(onlyOperation(text), args)).toBe(true);
    expect(takes(onlyOperation(text), {})).toBe(declared.length === 0);
    expect(await targetOf(api, "list", args)).toBe(target);
    expect(api.problems.filter(({ message }) => message.includes('query "?v=1&page={page}"'))).toHaveLength(2);
  });

  test("has parameters with the names of their pairs, and may use RFC 6570's notation", async () => {
    const api = imported(document({ "/{id}?q[text]={text}&n={id}": ["id", "text"], "/x/{id}{?expand,size*}": ["id"] }));
    expect(await targetOf(api, "get_id?q[text]=text&n=id", { id: "7", "q[text]": "a" })).toBe("/v1/7?q%5Btext%5D=a");
    const name = api.operations[1]?.name ?? "";
    expect(await targetOf(api, name, { id: "7", expand: "a", size: 2 })).toBe("/v1/x/7?expand=a&size=2");
  });

  test("writes a list declared in path as one value, also when a path shares the declaration", async () => {
    const ids = { name: "ids", in: "path", required: true, schema: { type: "array", items: { type: "string" } } };
    const operation = { parameters: [{ $ref: "#/components/parameters/ids" }], responses: answers };
    const paths = { "/a/{ids}": { get: { operationId: "a", ...operation } } };
    const api = imported(
      openApi(
        { ...paths, "/b?ids={ids}": { get: { operationId: "b", ...operation } } },
        { components: { parameters: { ids } } },
      ),
    );
    expect(await targetOf(api, "a", { ids: ["1", "2"] })).toBe("/v1/a/1,2");
    expect(await targetOf(api, "b", { ids: ["1", "2"] })).toBe("/v1/b?ids=1,2");
  });

  test.each([
    ["/rest?id={a}-{b}", '"id={a}-{b}"'],
    ["/rest?{name}=1", '"{name}=1"'],
    ["/rest?a={b}&a={c}", '"a"'],
    ["/rest?__proto__={a}", '"__proto__"'],
  ])("that cannot be sent is rejected: %s", (key, shown) => {
    expect(problemsOf(document({ [key]: [] }))).toMatchObject([
      { severity: "error", pointer: `/paths${jsonPointer([key])}`, message: expect.stringContaining(shown) as string },
    ]);
  });
});

describe("warnings of path keys", () => {
  test("appear once per kind and document, with the number of others", () => {
    const keys = ["/a#1", "/a#2", "/b#3", "/c?v=1", "/c?v=2", "/d?p={p}", "/e?p={p}", "/f/{x}", "/f/{y}"];
    const operation = { parameters: [{ name: "p", in: "query", schema: {} }], responses: answers };
    const problems = problemsOf(openApi(Object.fromEntries(keys.map((key) => [key, { get: operation }]))));
    const ofKeys = problems.filter(({ message }) =>
      /^The path (?:ends|has the query|has parameters)|address/.test(message),
    );
    expect(ofKeys.map(({ pointer, message }) => [pointer, message])).toEqual([
      [
        "/paths/~1a#1",
        'The path ends in "#1", which no request carries: "/a" is sent. Other paths end in a fragment as well: 2.',
      ],
      ["/paths/~1c?v=1", 'The path has the query "?v=1"; each call carries it. Other paths have a query as well: 1.'],
      [
        "/paths/~1d?p={p}",
        'The path has parameters in the query "?p={p}"; they are read as query parameters. Other paths have parameters in a query as well: 1.',
      ],
      ["/paths/~1f~1{y}", 'is the same address as "/f/{x}"; only the names of parameters differ.'],
    ]);
  });
});

describe("placeholders in the notation of frameworks", () => {
  test.each<[string, JsonObject, string]>([
    ["/files/{id:[0-9]+}", { "id:[0-9]+": "7" }, "/v1/files/7"],
    ["/files/{id=docs/*}", { "id=docs/*": "7" }, "/v1/files/7"],
    ["/report{.id}", { ".id": "pdf" }, "/v1/report.pdf"],
  ])("%s use the parameter with the name in them", async (key, args, target) => {
    const parameters = [{ name: "id", in: "path", required: true, description: "Its id.", schema: { type: "string" } }];
    const api = imported(openApi({ [key]: { get: { operationId: "get", parameters, responses: answers } } }));
    expect(Object.values(api.operations[0]?.input["properties"] ?? {})).toEqual([
      { type: "string", description: "Its id." },
    ]);
    expect(await targetOf(api, "get", args)).toBe(target);
  });
});
