import { Socket } from "node:net";
import type { ImportProblem } from "@procedo/integrations/openapi";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { importFile, pathOf, type Imported } from "./shared-documents.ts";

// Any way of opening a connection is recorded here.
const { connect } = Socket.prototype;
let connections = 0;
beforeAll(() => {
  Socket.prototype.connect = function (this: Socket, ...given: Parameters<Socket["connect"]>): Socket {
    connections += 1;
    return connect.apply(this, given);
  } as Socket["connect"];
});
afterAll(() => {
  Socket.prototype.connect = connect;
});
afterEach(() => expect(connections).toBe(0));

const imported = (file: string): Imported => importFile(pathOf("invalid", file));
const namesOf = ({ api }: Imported): readonly string[] | undefined => api?.operations.map(({ name }) => name);
const reported = ({ severity, pointer, line, message }: ImportProblem): string =>
  `${severity} ${pointer} (line ${line ?? "unknown"}): ${message}`;
const toldOf = (file: string): readonly string[] => imported(file).problems.map(reported);

describe("is refused with its position and the remedy", () => {
  test.each([
    ["01-broken-yaml.yaml", [{ line: 4, message: /quote/ }]],
    ["02-truncated-json.json", [{ line: 6, message: /^The JSON ends too early/ }]],
    ["03-empty.yaml", [{ message: /document is empty/ }]],
    ["04-not-an-object.yaml", [{ message: /top level must be an object/ }]],
    ["06-missing-paths.yaml", [{ message: /"paths"/ }]],
    ["07-missing-info-and-version.json", [{ message: /"openapi".*"swagger"/ }, { message: /"info"/ }]],
    ["09-openapi-3.1.yaml", [{ message: /OpenAPI 3\.1\.0 is not supported.*OpenAPI 3\.0 or Swagger 2\.0/ }]],
    ["10-asyncapi.yaml", [{ message: /AsyncAPI is not supported/ }]],
    ["11-graphql-sdl.graphql", [{ message: /GraphQL is not supported/ }]],
    ["13-swagger-1.2.json", [{ message: /Swagger 1\.2 is not supported/ }]],
    ["20-billion-laughs.yaml", [{ message: /Aliases add more than/ }]],
    ["22-deep-nesting-10k.json", [{ line: 1, message: /nests deeper than 200 levels/ }]],
    ["22b-deep-nesting-10k.yaml", [{ line: 4, message: /nests deeper than 200 levels/ }]],
    ["31-duplicate-keys.yaml", [{ line: 7, message: /"\/payments" appears twice/ }]],
  ])("%s", (file, expected) => {
    const { api, problems } = imported(file);
    expect(api).toBeUndefined();
    expect(problems).toHaveLength(expected.length);
    for (const [index, { message, ...place }] of expected.entries()) {
      expect(problems[index]).toMatchObject({ severity: "error", ...place });
      expect(problems[index]?.message).toMatch(message);
    }
  });
});

test("08-wrong-types.yaml: every invalid part is reported at once, and nothing broken is imported", () => {
  const { api, problems } = imported("08-wrong-types.yaml");
  expect(api).toBeUndefined();
  const post = "/paths/~1customers/post";
  expect(problems.map(({ pointer }) => pointer)).toEqual([
    "/servers",
    "/paths/payments",
    "/paths/~1customers/get/operationId",
    "/paths/~1customers/get/parameters",
    // The parameter, which is omitted, and the reason.
    `${post}/parameters/0`,
    `${post}/parameters/0/in`,
    `${post}/parameters/1`,
    `${post}/parameters/1`,
    `${post}/parameters/2/required`,
    `${post}/parameters/3/schema/type`,
    `${post}/parameters/4`,
    `${post}/requestBody/content`,
    `${post}/responses`,
    "/paths/~1invoices",
    "/paths/~1ledgers/post",
    "/paths/~1ledgers/fetch",
  ]);
  expect(problems.every(({ line }) => line !== undefined)).toBe(true);
});

test("15-unresolved-refs.yaml: the intact operation is imported, and each unresolved reference is reported", () => {
  const result = imported("15-unresolved-refs.yaml");
  expect(namesOf(result)).toEqual(["fine"]);
  const refs = result.problems.map(({ message }) => /\$ref "([^"]*)"/.exec(message)?.[1]);
  expect(refs).toEqual([
    "#/components/parameters/Missing",
    "#/components/responses/Nope",
    "#/components/schemas/Money",
    "#/components/schemas/~2bad",
    "#/definitions/OldStyle",
  ]);
});

test("16-external-refs.yaml: all nine are reported, only the operation without one is imported, and nothing is fetched", () => {
  const result = imported("16-external-refs.yaml");
  expect(namesOf(result)).toEqual(["c"]);
  const refs = result.problems.map(({ message }) => /\$ref "(.*)" leads out of the document/.exec(message)?.[1]);
  expect(refs).toEqual([
    "http://127.0.0.1:9/paths.yaml#/a",
    "https://refs.example.com/common.yaml#/parameters/Page",
    "./parameters.yaml#/Limit",
    "../../../../etc/passwd",
    "file:///etc/passwd",
    "schemas.json#/Two",
    "//evil.example.com/x.json",
    "http://169.254.169.254/latest/meta-data/",
    'data:application/json,{"type":"string"}',
  ]);
});

test("17-duplicate-operation-ids.json: the names are distinct, and both positions are reported", () => {
  const result = imported("17-duplicate-operation-ids.json");
  expect(namesOf(result)).toEqual(["createPayment_post_payments", "createPayment_post_v2_payments", "CreatePayment"]);
  const text = toldOf("17-duplicate-operation-ids.json").join("\n");
  expect(text).toContain("/paths/~1payments/post");
  expect(text).toContain("/paths/~1v2~1payments/post");
});

test("21-ok-yaml-anchors.yaml: anchors and merge keys give the parameter to both operations", () => {
  const { api } = imported("21-ok-yaml-anchors.yaml");
  expect(api?.operations.map(({ inputs }) => inputs.map(({ in: place, name }) => [place, name]))).toEqual([
    [["query", "page"]],
    [["query", "page"]],
  ]);
});

test("23-prototype-pollution.json: no prototype is changed, own members are resolved, inherited ones are not", () => {
  const result = imported("23-prototype-pollution.json");
  expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
  expect(({} as Record<string, unknown>)["isAdmin"]).toBeUndefined();
  const text = toldOf("23-prototype-pollution.json").join("\n");
  expect(text).toContain('$ref "#/components/parameters/hasOwnProperty" leads to nothing');
  expect(text).not.toContain('"#/components/schemas/constructor" leads to nothing');
  for (const operation of result.api?.operations ?? []) {
    expect(Object.getPrototypeOf(operation)).toBe(Object.prototype);
    expect(Object.getPrototypeOf(operation.input)).toBe(Object.prototype);
  }
});

test("26-ssrf-servers.yaml: an operation's own server is never used, and every one of them is reported", () => {
  const { api, problems } = imported("26-ssrf-servers.yaml");
  expect(api?.operations).toHaveLength(14);
  const named = problems.map(({ message }) => /A server of its own \("(.*)"\) is not used/.exec(message)?.[1]);
  expect(named).toHaveLength(13);
  // A password in a document is not shown.
  expect(named).toContain("https://…@169.254.169.254/");
});

test("29-weird-operation-ids.yaml: thirteen names are unchanged; empty ones consist of method and path", () => {
  const names = namesOf(imported("29-weird-operation-ids.yaml")) ?? [];
  expect(new Set(names).size).toBe(13);
  expect(names.filter((name) => name.startsWith("aaaa")).map((name) => name.length)).toEqual([129, 129]);
  expect(names.filter((name) => !name.startsWith("aaaa"))).toEqual([
    "find pet by id",
    "../../etc/passwd",
    "<script>alert(1)</script>",
    "'; DROP TABLE actions; --",
    "get_e",
    "get_f",
    "оплата_💶",
    "line\nbreak",
    "orders.create",
    "orders_create",
    "notes",
  ]);
});

test("34-ok-auth-variety.yaml: there are ten actions, and each unsupported method of authentication is reported", () => {
  const { api, problems } = imported("34-ok-auth-variety.yaml");
  expect(api?.operations).toHaveLength(10);
  expect(problems.map(({ severity, message }) => [severity, /"([^"]*)"/.exec(message)?.[1]])).toEqual([
    ["warning", "notDeclared"],
    ["warning", "cookie"],
    ["warning", "digest"],
    ["warning", "openIdConnect"],
    ["warning", "oauth2"],
  ]);
});

test("37-ok-bom.json: a byte order mark is not part of the document", () => {
  expect(namesOf(imported("37-ok-bom.json"))).toEqual(["listPayments"]);
});
