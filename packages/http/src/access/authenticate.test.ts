import type { HeldKey, PrivateClient } from "@procedo/engine";
import { describe, expect, test } from "vitest";
import type { HttpRequest } from "../request/http-request.ts";
import { authenticate, authenticateClient } from "./authenticate.ts";

const ports = {
  keys: {
    hold: async (key: string) => (key === "right" ? ({ isDeleted: false } as HeldKey) : undefined),
  },
  privateConnections: {
    authenticate: async (token: string) =>
      token === "right" ? ({ connectionId: "con_1" } as PrivateClient) : undefined,
  },
  failedAttempts: { note: () => undefined },
};

const asking = (authorization: string | undefined): HttpRequest =>
  ({ header: () => authorization, address: undefined }) as unknown as HttpRequest;

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
