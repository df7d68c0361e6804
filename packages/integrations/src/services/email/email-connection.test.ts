import { describe, expect, test } from "vitest";
import { email } from "./email.ts";
import { login } from "./mail-server.fixture.ts";

describe("the settings of a connection", () => {
  const problems = (settings: object, secrets: Record<string, string> = { password: login.password }) =>
    email()
      .checkConnection({ host: "smtp.acme.example", from: "finance@acme.example", ...settings }, secrets)
      .map(({ path }) => path);

  test("need a host and a sender", () => {
    expect(problems({})).toEqual([]);
    expect(problems({}, {})).toEqual([]);
    expect(
      email()
        .checkConnection({}, {})
        .map(({ path }) => path),
    ).toEqual(["/host", "/from"].map((path) => `/settings${path}`));
  });

  test.each([
    [{ port: 2_525 }, "/settings/port"],
    [{ port: 22 }, "/settings/port"],
    [{ security: "ssl" }, "/settings/security"],
    [{ security: "none", user: "ana" }, "/settings/user"],
    [{ port: 465, security: "starttls" }, "/settings/security"],
    [{ from: "Acme <finance@acme.example>" }, "/settings/from"],
    [{ from: "finance@acme.example\r\nBcc: eve@example.com" }, "/settings/from"],
    [{ fromName: "Acme\nBcc: eve@example.com" }, "/settings/fromName"],
    [{ user: "ana\r\n" }, "/settings/user"],
    [{ host: "smtp.acme.example/x" }, "/settings/host"],
    [{ host: "a b" }, "/settings/host"],
  ])("%j are refused", (settings, path) => {
    expect(problems(settings)).toEqual([path]);
  });

  test.each([
    [{ user: "ana" }, {}],
    [{ security: "none" }, { password: login.password }],
  ])("%j with the secrets %j are half a login, or one without encryption", (settings, secrets) => {
    expect(problems(settings, secrets as Record<string, string>)).toEqual(["/secrets/password"]);
  });

  test("name the destination that is checked before the connection is saved", () => {
    expect(email().destinationOf?.({ host: "smtp.acme.example", from: "a@b.example" })).toEqual({
      host: "smtp.acme.example",
    });
  });

  test("are encrypted by STARTTLS on port 587 unless they say otherwise, and from the start on port 465", () => {
    const given = { host: "smtp.acme.example", from: "finance@acme.example" };
    expect(email().withDefaults?.(given)).toEqual({ ...given, port: 587 });
    expect(problems({ port: 465 })).toEqual([]);
  });
});
