import { describe, expect, test } from "vitest";
import { checkHeaders, checkMethod } from "./request-headers.ts";

const refused = expect.objectContaining({ code: "invalid_input", failure: "request", sent: "no" });

describe("refuses headers that frame the message or belong to the connection", () => {
  test.each([
    "Host",
    "host",
    "Content-Length",
    "Transfer-Encoding",
    "TRANSFER-ENCODING",
    "Connection",
    "Keep-Alive",
    "Upgrade",
    "TE",
    "Trailer",
    "Expect",
    "HTTP2-Settings",
    "Proxy-Authorization",
    "Proxy-Connection",
    "proxy-x",
  ])("%s", (name) => {
    expect(() => checkHeaders({ [name]: "x" })).toThrow(refused);
  });
});

describe("a value that could end its header line is refused", () => {
  test.each([
    "a\r\nb: c",
    "a\nb",
    "a\rb",
    "a\u0000b",
    "a\u007fb",
    "a\u0001",
    "a\u2028b",
    "č",
    "\ud83d\ude00",
    "嘊嘍x: y",
  ])("%j", (value) => {
    expect(() => checkHeaders({ "x-value": value })).toThrow(refused);
  });

  test("with an error that names the header, not the value", () => {
    expect(() => checkHeaders({ Authorization: "canary\n" })).toThrow(
      expect.objectContaining({ message: expect.stringMatching(/^(?!.*canary).*"authorization"/) }),
    );
  });
});

test.each(["", "a b", "a:b", "a\r\nb", "ä", "a\u0000", "a(b)"])("the name %j is refused", (name) => {
  expect(() => checkHeaders({ [name]: "x" })).toThrow(refused);
});

test("a name given twice in different case is refused", () => {
  expect(() => checkHeaders({ "X-Key": "a", "x-key": "b" })).toThrow(refused);
});

test("other headers pass under lowercase names", () => {
  const headers = { Authorization: "Bearer x", "X-Key": "", Cookie: "a=b; c=d", accept: "\tä ~", ["__proto__"]: "p" };
  expect(Object.entries(checkHeaders(headers))).toEqual([
    ["authorization", "Bearer x"],
    ["x-key", ""],
    ["cookie", "a=b; c=d"],
    ["accept", "\tä ~"],
    ["__proto__", "p"],
  ]);
});

test.each(["CONNECT", "connect", "TRACE", "track", "", "GET /x", "GET\r\n"])("the method %j is refused", (method) => {
  expect(() => checkMethod(method)).toThrow(refused);
});

test.each([
  ["get", "GET"],
  ["POST", "POST"],
  ["query", "QUERY"],
])("the method %s is sent as %s", (method, sent) => {
  expect(checkMethod(method)).toBe(sent);
});
