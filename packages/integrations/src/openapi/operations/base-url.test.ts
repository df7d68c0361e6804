import { describe, expect, it } from "vitest";
import type { JsonObject } from "@procedo/contract";
import type { ImportProblem } from "../imported-api.ts";
import { readHost, readServers, warnOfOwnServers } from "./base-url.ts";

function read(root: JsonObject, of: typeof readServers) {
  const problems: ImportProblem[] = [];
  return { url: of(root, problems), problems };
}
const servers = (...list: (string | JsonObject)[]) =>
  read({ servers: list.map((each) => (typeof each === "string" ? { url: each } : each)) }, readServers);

describe("the base URL of OpenAPI 3.0", () => {
  it("is the first server, unchanged", () => {
    expect(servers("https://api.example.com/v1/", "https://sandbox.example.com")).toEqual({
      url: "https://api.example.com/v1/",
      problems: [],
    });
  });

  it("contains the defaults of its variables", () => {
    const variables = { region: { default: "eu", enum: ["eu", "us"] }, v: { default: "v1" } };
    expect(servers({ url: "https://{region}.example.com/{v}", variables })).toEqual({
      url: "https://eu.example.com/v1",
      problems: [],
    });
  });

  it("accepts a default outside the variable's values, with a warning", () => {
    const { url, problems } = servers({
      url: "https://{r}.example.com",
      variables: { r: { default: "x", enum: ["eu"] } },
    });
    expect(url).toBe("https://x.example.com");
    expect(problems).toMatchObject([{ severity: "warning", pointer: "/servers/0/variables/r/default" }]);
  });

  it.each([
    "/v1",
    "",
    "api.example.com/v1",
    "//api.example.com",
    "ftp://api.example.com",
    "file:///etc",
    "javascript:alert(1)",
    "gopher://127.0.0.1:6379/_FLUSHALL",
    "https://user:hunter2@api.example.com",
    "https://api.example.com@169.254.169.254/",
    "https://api.example.com?key=1",
    "https://api.example.com#x",
    "https://api.exam\nple.com",
    "https://api.example.com\\x",
    "https://",
    "https://{host}",
    "https://{constructor}.example.com",
  ])("is never %j, which is reported, and the next server is used", (url) => {
    const { url: found, problems } = servers(url, "https://next.example.com");
    expect(found).toBe("https://next.example.com");
    expect(problems).toMatchObject([{ severity: "warning", pointer: "/servers/0/url" }]);
    expect(problems[0]?.message).not.toContain("hunter2");
  });

  it.each([{}, { servers: [] }, { servers: "https://api.example.com" }, { servers: [1, null, {}, { url: 5 }] }])(
    "is not known without a usable server, which is said: %j",
    (root: JsonObject) => {
      const { url, problems } = read(root, readServers);
      expect(url).toBeUndefined();
      expect(problems.length).toBeGreaterThan(0);
    },
  );

  it("is never an operation's server, and the warning shows no password", () => {
    const problems = warnOfOwnServers({ servers: [{ url: "https://u:hunter2@files.example.com" }] }, "/paths/~1x/get");
    expect(problems).toMatchObject([{ severity: "warning", pointer: "/paths/~1x/get/servers" }]);
    expect(problems[0]?.message).toContain("files.example.com");
    expect(problems[0]?.message).not.toContain("hunter2");
    expect(warnOfOwnServers({}, "")).toEqual([]);
  });
});

describe("the base URL of Swagger 2.0", () => {
  it.each([
    [{ host: "api.example.com", basePath: "/v1", schemes: ["http", "https"] }, "https://api.example.com/v1"],
    [{ host: "api.example.com:8080", basePath: "/", schemes: ["http"] }, "http://api.example.com:8080"],
    [{ host: "api.example.com" }, "https://api.example.com"],
    [{ host: "api.example.com", basePath: "v1" }, "https://api.example.com/v1"],
  ])("is built from schemes, host and basePath: %j", (root, url) => {
    expect(read(root, readHost)).toEqual({ url, problems: [] });
  });

  it.each([
    [{}, ""],
    [{ host: 5 }, "/host"],
    [{ host: "https://api.example.com" }, "/host"],
    [{ host: "user@example.com" }, "/host"],
    [{ host: "{tenant}.example.com" }, "/host"],
    [{ host: "api.example.com", basePath: 1 }, "/basePath"],
    [{ host: "api.example.com", basePath: "/v1?x=1" }, "/host"],
    [{ host: "api.example.com", schemes: ["wss"] }, "/schemes"],
    [{ host: "api.example.com", schemes: "https" }, "/schemes"],
  ])("is unknown for %j", (root: JsonObject, pointer) => {
    const { url, problems } = read(root, readHost);
    expect(url).toBeUndefined();
    expect(problems).toMatchObject([{ severity: "warning", pointer }]);
  });
});
