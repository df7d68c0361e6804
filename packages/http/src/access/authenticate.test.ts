import type { HeldPrincipal, HeldSession, PrivateClient } from "@procedo/engine";
import { describe, expect, test } from "vitest";
import type { HttpRequest } from "../request/http-request.ts";
import { authenticate, authenticateClient, authenticateSession } from "./authenticate.ts";
import { createBrowserOrigin } from "./browser-origin.ts";
import { createSessionCookie } from "./browser-cookie.ts";

const appUrl = "https://procedo.example";
const ofKey = { environment: "live" } as HeldPrincipal;
const ofSession = { session: { sessionId: "ssn_1" } } as HeldSession;

const ports = {
  keys: {
    hold: async (key: string) => (key === "right" ? (ofKey as never) : undefined),
  },
  sessions: { hold: async (token: string) => (token === "ses_right" ? ofSession : undefined) },
  application: undefined,
  cookie: createSessionCookie(appUrl),
  browserOrigin: createBrowserOrigin(appUrl),
  privateConnections: {
    authenticate: async (token: string) =>
      token === "right" ? ({ connectionId: "con_1" } as PrivateClient) : undefined,
  },
  failedAttempts: { note: () => undefined },
};

const asking = (authorization: string | undefined, others: Readonly<Record<string, string>> = {}): HttpRequest =>
  ({
    method: others["method"] ?? "GET",
    header: (name: string) => (name === "authorization" ? authorization : others[name]),
    address: undefined,
  }) as unknown as HttpRequest;

const doors = [
  ["a key", (header: string | undefined) => authenticate(ports, asking(header)), "<API_KEY>"],
  ["a client's token", (header: string | undefined) => authenticateClient(ports, asking(header)), "<TOKEN>"],
] as const;

describe.each(doors)("%s", (_door, ask, credential) => {
  test.each(["Bearer", "bearer", "BEARER", "bEaReR"])("is accepted with the scheme %s", async (scheme) => {
    await expect(ask(`${scheme} right`)).resolves.toBeDefined();
  });

  test.each(["Basic", "basic", "Token", "Digest"])(
    "is refused with the scheme %s, with a hint to send Bearer",
    async (scheme) => {
      const message = `The scheme ${scheme} is not accepted. Send Authorization: Bearer ${credential}.`;
      await expect(ask(`${scheme} cmlnaHQ6`)).rejects.toMatchObject({ code: "unauthorized", message });
    },
  );

  test.each([undefined, "", "right", "secret-key", "Bearer", "Bearer wrong", "Bearer  right", "Bearerright"])(
    "is refused in the header %j, without being quoted",
    async (header) => {
      const error = (await ask(header).catch((error: unknown) => error)) as Error;
      expect(error).toMatchObject({ code: "unauthorized" });
      expect(error.message).toContain(`Authorization: Bearer ${credential}`);
      expect(error.message).not.toContain("secret-key");
    },
  );
});

const cookie = "__Host-procedo=ses_right";

describe.each([
  ["where keys are accepted too", authenticate],
  ["where only sessions are accepted", authenticateSession],
])("a session, %s,", (_where, ask) => {
  test.each([
    ["as a bearer token", asking("Bearer ses_right", { method: "POST" })],
    ["as a cookie", asking(undefined, { cookie })],
    ["as a cookie beside the password of a reverse proxy", asking("Basic cHJveHk6eA==", { cookie })],
    ["as a cookie from the application's page", asking(undefined, { cookie, method: "POST", origin: appUrl })],
  ])("is accepted %s", async (_how, request) => {
    expect(await ask(ports, request)).toBe(ofSession);
  });

  test.each([
    ["unknown, as a bearer token", asking("Bearer ses_wrong"), "unauthorized"],
    ["unknown, as a cookie", asking(undefined, { cookie: "__Host-procedo=ses_wrong" }), "unauthorized"],
    ["a key in its cookie", asking(undefined, { cookie: "__Host-procedo=right" }), "unauthorized"],
    ["as a cookie beside a bearer token", asking("bearer ses_right", { cookie }), "malformed_request"],
    ["as a cookie beside a key", asking("Bearer right", { cookie }), "malformed_request"],
    ["as a cookie beside a malformed bearer token", asking("Bearer", { cookie }), "malformed_request"],
    ["as a cookie twice", asking(undefined, { cookie: `${cookie}; ${cookie}` }), "malformed_request"],
    ["as a cookie that changes something", asking(undefined, { cookie, method: "DELETE" }), "permission_denied"],
    [
      "as a cookie from a foreign page",
      asking(undefined, { cookie, method: "POST", origin: "https://x.example", "sec-fetch-site": "cross-site" }),
      "permission_denied",
    ],
  ])("is refused: %s", async (_how, request, code) => {
    await expect(ask(ports, request)).rejects.toMatchObject({ code });
  });
});

test("a key is accepted where keys are, and refused like an unknown session where only sessions are", async () => {
  expect(await authenticate(ports, asking("Bearer right"))).toBe(ofKey);
  const refusals = await Promise.all(
    ["Bearer right", "Bearer ses_wrong", undefined].map((header) =>
      authenticateSession(ports, asking(header)).catch(({ code, message }: Error & { code: string }) => [
        code,
        message,
      ]),
    ),
  );
  expect(new Set(refusals.map((refusal) => JSON.stringify(refusal))).size).toBe(1);
  expect(refusals[0]).toEqual(["unauthorized", expect.stringContaining("Sign in")]);
});
