import { describe, expect, test } from "vitest";
import type { HttpRequest } from "../request/http-request.ts";
import { createBrowserOrigin } from "./browser-origin.ts";

const origin = createBrowserOrigin("https://procedo.example/app");
const request = (method: string, headers: Readonly<Record<string, string>> = {}): HttpRequest =>
  ({ method, header: (name: string) => headers[name] }) as unknown as HttpRequest;
const refused = expect.objectContaining({ code: "permission_denied" }) as Error;

describe.each(["POST", "PUT", "PATCH", "DELETE"])("a %s with a cookie", (method) => {
  test.each([
    { "sec-fetch-site": "same-origin" },
    { origin: "https://procedo.example" },
    { "sec-fetch-site": "same-origin", origin: "https://proxy.example" },
  ])("passes with %j", (headers) => {
    origin.check(request(method, headers));
    origin.checkIfNamed(request(method, headers));
  });

  test.each<Readonly<Record<string, string>>>([
    { "sec-fetch-site": "same-site" },
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "none" },
    { "sec-fetch-site": "same-origin, same-origin" },
    { origin: "https://procedo.example.attacker.example" },
    { origin: "https://procedo.example:8443" },
    { origin: "http://procedo.example" },
    { origin: "https://procedo.example/app" },
    { origin: "null" },
    { origin: "" },
  ])("is refused with %j, also without a cookie", (headers) => {
    expect(() => origin.check(request(method, headers))).toThrow(refused);
    expect(() => origin.checkIfNamed(request(method, headers))).toThrow(refused);
  });

  test("is refused without any origin; without a cookie, a program sent it", () => {
    expect(() => origin.check(request(method))).toThrow(refused);
    origin.checkIfNamed(request(method));
  });
});

test.each(["GET", "HEAD"])("a %s passes from anywhere, as it changes nothing", (method) => {
  origin.check(request(method, { "sec-fetch-site": "cross-site" }));
  origin.checkIfNamed(request(method, { "sec-fetch-site": "cross-site" }));
});
