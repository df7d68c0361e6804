/* Callers behind a reverse proxy have limits and sessions of their own. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { nodeHandler } from "@procedo/http";
import { expect, onTestFinished, test } from "vitest";
import { createHarness, type Harness } from "./harness.ts";

const email = "ana@procedo.test";
const password = "correct horse battery";

const behind = {
  serveNode: async ({ listen }: Harness, trustedProxies: readonly string[]) => (await listen({ trustedProxies })).url,
  nodeHandler: async ({ http }: Harness, trustedProxies: readonly string[]) => {
    const server = createServer(nodeHandler(http, { trustedProxies }));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  },
};

test.each(Object.entries(behind))("%s: a session has the address that a trusted proxy states", async (_how, serve) => {
  const harness = await createHarness();
  const { token } = await harness.engine.people.invite({ email, access: { live: ["viewer"] }, by: { person: "olga" } });
  const { personId } = await harness.engine.people.accept({ token, name: "Ana", password });
  const addressesOf = async (trustedProxies: readonly string[]) => {
    const url = await serve(harness, trustedProxies);
    const headers = { "content-type": "application/json", "x-forwarded-for": "127.0.0.9, 192.0.2.1" };
    const body = JSON.stringify({ email, password, answerWith: "token" });
    const answer = await fetch(`${url}/api/v1/session`, { method: "POST", headers, body });
    const { session } = (await answer.json()) as { readonly session: { readonly id: string } };
    const sessions = await harness.engine.sessions.list({ personId });
    return sessions.find(({ sessionId }) => sessionId === session.id)?.address;
  };
  expect(await addressesOf(["127.0.0.1/32"])).toBe("192.0.2.1");
  expect(await addressesOf(["127.0.0.2/32"])).toBe("127.0.0.1");
  expect(await addressesOf([])).toBe("127.0.0.1");
});
