import { describe, expect, test } from "vitest";
import { createSessionCookie, createSignInCookie } from "./browser-cookie.ts";

const secure = createSessionCookie("https://procedo.example");
const plain = createSessionCookie("http://127.0.0.1:8787/app");

test("a cookie of an https address is bound to its host and to secure connections", () => {
  expect(secure.set("ses_x", 60_500)).toEqual([
    "Set-Cookie",
    "__Host-procedo=ses_x; Max-Age=60; Path=/; HttpOnly; SameSite=Strict; Secure",
  ]);
  expect(plain.set("ses_x", 60_500)).toEqual([
    "Set-Cookie",
    "procedo=ses_x; Max-Age=60; Path=/; HttpOnly; SameSite=Strict",
  ]);
});

test("clearing a cookie names the attributes with which it was set", () => {
  expect(secure.clear()).toEqual([
    "Set-Cookie",
    "__Host-procedo=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict; Secure",
  ]);
});

test("the cookie of a sign-in is sent when the provider redirects the browser, and bound as the session's is", () => {
  expect(createSignInCookie("https://procedo.example").set("x", 600_000)).toEqual([
    "Set-Cookie",
    "__Host-procedo-sign-in=x; Max-Age=600; Path=/; HttpOnly; SameSite=Lax; Secure",
  ]);
  expect(createSignInCookie("http://127.0.0.1:8787").read("procedo=ses_a; procedo-sign-in=x")).toBe("x");
});

describe("a Cookie header", () => {
  test.each([
    [undefined, undefined],
    ["", undefined],
    ["procedo=ses_a", "ses_a"],
    ["theme=dark; procedo=ses_a; other=1", "ses_a"],
    ["theme=dark;procedo=ses_a", "ses_a"],
    ["procedo = ses_a", "ses_a"],
    ["procedo=", undefined],
    ["procedo", undefined],
    ["Procedo=ses_a", undefined],
    ["xprocedo=ses_a", undefined],
    ["theme=procedo=ses_a", undefined],
    ["__Host-procedo=ses_a", undefined],
    ["procedo=a=b", "a=b"],
  ])("%j has the token %j", (header, token) => {
    expect(plain.read(header)).toBe(token);
  });

  test.each(["procedo=ses_a; procedo=ses_b", "procedo=ses_a;procedo=ses_a", "procedo=; x=1; procedo=ses_b"])(
    "%j, which has the cookie twice, is refused",
    (header) => {
      expect(() => plain.read(header)).toThrow(expect.objectContaining({ code: "malformed_request" }));
    },
  );
});
