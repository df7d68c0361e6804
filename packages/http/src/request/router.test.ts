import { describe, expect, test } from "vitest";
import type { OpenOperation } from "../operation.ts";
import { createRouter } from "./router.ts";

function operation(route: string): OpenOperation {
  const [method, path] = route.split(" ") as ["GET", string];
  const described = {
    id: route,
    method,
    path,
    tag: "Service",
    summary: "",
    access: "open",
    answers: {},
    errors: [],
  } as const;
  return { ...described, handle: async () => ({ status: 200, body: {} }) };
}

const route = createRouter(
  ["GET /a", "POST /a", "GET /a/:x", "DELETE /a/:x", "GET /a/fixed", "POST /a/fixed/:y/z", "GET /a/:x/:y"].map(
    operation,
  ),
);

function found(method: string, path: string): unknown {
  const routed = route(method, path);
  return routed.kind === "operation" ? [routed.operation.id, routed.params] : routed;
}

describe("a path leads to", () => {
  test.each([
    ["GET", "/a", "GET /a", {}],
    ["HEAD", "/a", "GET /a", {}],
    ["GET", "/a/1", "GET /a/:x", { x: "1" }],
    ["GET", "/a/fixed", "GET /a/fixed", {}],
    ["POST", "/a/fixed/2/z", "POST /a/fixed/:y/z", { y: "2" }],
    ["GET", "/a/fixed/2", "GET /a/:x/:y", { x: "fixed", y: "2" }],
    ["GET", "/a/%2F%20%C3%A4", "GET /a/:x", { x: "/ ä" }],
    ["GET", "/a/__proto__", "GET /a/:x", { x: "__proto__" }],
  ])("%s %s: %s", (method, path, id, params) => {
    expect(found(method, path)).toEqual([id, params]);
  });

  test.each(["/", "", "/b", "/a/", "//a", "/a//", "/a/1/2/3", "/a/%", "/a/%ff", "/A", "/a/fixed/2/z/3"])(
    "nothing at %j",
    (path) => {
      expect(found("GET", path)).toEqual({ kind: "unknown", isInbound: false });
    },
  );

  test("the list of its methods, for an unsupported method", () => {
    const wrongMethod = { kind: "wrong_method", isInbound: false };
    expect(found("PUT", "/a")).toEqual({ ...wrongMethod, allowed: ["GET", "HEAD", "POST", "OPTIONS"] });
    expect(found("OPTIONS", "/a/1")).toEqual({ ...wrongMethod, allowed: ["GET", "HEAD", "DELETE", "OPTIONS"] });
    expect(found("constructor", "/a")).toMatchObject({ kind: "wrong_method" });
  });
});

test("rejects two operations with the same route on creation", () => {
  expect(() => createRouter([operation("GET /a/:x"), operation("GET /a/:y")])).toThrow("Two operations");
});

describe("under a base path", () => {
  const below = createRouter([operation("GET /a/:x")], "/app/procedo");

  test("an operation has its path behind the base path", () => {
    expect(below("GET", "/app/procedo/a/1")).toMatchObject({ kind: "operation", params: { x: "1" } });
    expect(below("PUT", "/app/procedo/a/1")).toMatchObject({ kind: "wrong_method" });
  });

  test.each(["/a/1", "/app/procedo", "/app/procedo/", "/app/procedoa/1", "/app/procedo//a/1", "/app/PROCEDO/a/1", "a"])(
    "nothing is at %j",
    (path) => {
      expect(below("GET", path)).toEqual({ kind: "unknown", isInbound: false });
    },
  );
});
