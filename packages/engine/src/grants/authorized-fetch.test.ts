import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import type { OAuthClient } from "../integrations/oauth-client.ts";
import type { Readiness } from "./authorization.ts";
import { authorizedFetch } from "./authorized-fetch.ts";

/** Sends a request with tokens "a1", then "a2", to a service that accepts some of them. */
async function send(
  url: string,
  {
    accepts,
    renewed = "a2",
    renewedSinceMs = 5,
    knownSinceMs = 5,
    init = {},
    refuses = () => new Response("", { status: 401 }),
    ends = false,
    tokenRefusal,
  }: {
    accepts: readonly string[];
    renewed?: string;
    renewedSinceMs?: number;
    knownSinceMs?: number;
    init?: RequestInit;
    refuses?: () => Response;
    ends?: boolean;
    tokenRefusal?: OAuthClient["tokenRefusal"];
  },
) {
  const again: string[] = [];
  const refused: string[] = [];
  const sent: { readonly authorization: string | null; readonly body: string; readonly key: string | null }[] = [];
  let renewals = 0;
  const fetch = authorizedFetch(
    async (input, given) => {
      const request = new Request(input, given);
      const authorization = request.headers.get("authorization");
      sent.push({ authorization, body: await request.text(), key: request.headers.get("idempotency-key") });
      return accepts.some((token) => authorization === `Bearer ${token}`) ? Response.json({ ok: true }) : refuses();
    },
    {
      origins: ["https://api.bank.example"],
      accountSinceMs: knownSinceMs,
      ready: async (): Promise<Readiness> => ({ status: "ready", accessToken: "a1", generation: 1, accountSinceMs: 5 }),
      renew: async (): Promise<Readiness> => {
        renewals += 1;
        if (renewed === "storage fails") throw new Error("Storage cannot be reached.");
        return { status: "ready", accessToken: renewed, generation: 2, accountSinceMs: renewedSinceMs };
      },
      tokenRefusal,
      refusedAgain: async (generation, refusal) => {
        again.push(`${generation} ${refusal}`);
        return ends ? { status: "needs_authorization", message: "The authorization has ended." } : undefined;
      },
    },
    (method) => void refused.push(method),
  );
  const { status, message } = await fetch(url, init).then(
    (response) => ({ status: response.status, message: "" }),
    (error: unknown) => ({ status: 0, message: String(error) }),
  );
  return { status, message, sent, renewals, again, refused };
}

const url = "https://api.bank.example/payments";

test("a token is sent to the origins of its service only", async () => {
  expect(await send(url, { accepts: ["a1"] })).toMatchObject({ status: 200, sent: [{ authorization: "Bearer a1" }] });
  for (const other of [
    "https://api.bank.example.evil.test/",
    "https://bank.example/",
    "http://api.bank.example/",
    "x",
  ]) {
    const { sent } = await send(other, { accepts: [] }).catch(() => ({ sent: [] }));
    expect(sent.map(({ authorization }) => authorization)).not.toContain("Bearer a1");
  }
});

test("a refused token is renewed, and the same request sent once more", async () => {
  const init = { method: "POST", body: '{"cents":5}', headers: { "Idempotency-Key": "key-1" } };
  const { status, sent, renewals } = await send(url, { accepts: ["a2"], init });
  expect({ status, renewals }).toEqual({ status: 200, renewals: 1 });
  expect(sent).toEqual([
    { authorization: "Bearer a1", body: '{"cents":5}', key: "key-1" },
    { authorization: "Bearer a2", body: '{"cents":5}', key: "key-1" },
  ]);
});

test.each<Exclude<Readiness, { status: "ready" }>>([
  { status: "needs_authorization", message: "The authorization has ended." },
  { status: "later", atMs: 9, message: "The authorization server is down." },
])("a refused request without another token fails as one that was not sent: $status", async (readiness) => {
  const refused: string[] = [];
  const authorization = {
    ...{
      origins: ["https://api.bank.example"],
      accountSinceMs: 5,
      tokenRefusal: undefined,
      refusedAgain: async () => undefined,
    },
    ready: async (): Promise<Readiness> => ({ status: "ready", accessToken: "a1", generation: 1, accountSinceMs: 5 }),
    renew: async (): Promise<Readiness> => readiness,
  };
  const fetch = authorizedFetch(
    async () => new Response("", { status: 401 }),
    authorization,
    (method) => void refused.push(method),
  );
  await expect(fetch(url, { method: "POST", body: "{}" })).rejects.toMatchObject({
    ...{ failure: "unauthorized", sent: "no", responseStatus: 401 },
    message: `The service refused the access token (401), and there is no other. ${readiness.message}`,
  });
  expect(refused).toEqual(["POST"]);
});

test("a request is not sent again, nor at all, for another account than the one that it was made for", async () => {
  const again = await send(url, { accepts: ["a2"], renewedSinceMs: 9 });
  expect(again).toMatchObject({ status: 0, sent: [{ authorization: "Bearer a1" }] });
  expect(again.message).toContain("perhaps for another account");
  const atAll = await send(url, { accepts: ["a1"], knownSinceMs: 4 });
  expect(atAll).toMatchObject({ status: 0, sent: [], renewals: 0 });
  expect(await send(url, { accepts: ["a1"], knownSinceMs: 0 })).toMatchObject({ status: 200 });
});

test("a refused request stays one that was not sent when the next token cannot be read", async () => {
  const { message, sent } = await send(url, { accepts: ["a2"], renewed: "storage fails" });
  expect(sent).toHaveLength(1);
  expect(message).toContain("there is no other. Storage cannot be reached.");
});

test("a second refusal is the answer, unless it ends the authorization", async () => {
  expect(await send(url, { accepts: [] })).toMatchObject({
    ...{ status: 401, renewals: 1, sent: [{}, {}], again: ["2 refused"], refused: ["GET", "GET"] },
  });
  const ended = await send(url, { accepts: [], renewed: "a1", ends: true });
  expect(ended.message).toContain("The service refused the access token (401), and there is no other.");
  expect(ended.sent).toHaveLength(2);
});

test("an answer that refuses the token in the service's own words is treated as a 401", async () => {
  const init = { method: "POST", body: '{"cents":5}', headers: { "Idempotency-Key": "key-1" } };
  const refuses = () => Response.json({ ok: false, error: "revoked" });
  const tokenRefusal: OAuthClient["tokenRefusal"] = ({ status, body }) =>
    status === 200 && isDeepStrictEqual(body, { ok: false, error: "revoked" }) ? "ended" : undefined;
  const renewed = await send(url, { accepts: ["a2"], init, refuses, tokenRefusal });
  expect(renewed).toMatchObject({ status: 200, renewals: 1, refused: ["POST"], again: [] });
  expect(new Set(renewed.sent.map(({ body, key }) => `${body} ${key}`))).toEqual(new Set(['{"cents":5} key-1']));
  const ended = await send(url, { accepts: [], init, refuses, tokenRefusal, ends: true });
  expect(ended).toMatchObject({ status: 0, renewals: 1, refused: ["POST", "POST"], again: ["2 ended"] });
});

test.each<[string, Response, OAuthClient["tokenRefusal"]]>([
  ["is not asked about", Response.json({ error: "revoked" }, { status: 403 }), undefined],
  ["says otherwise", Response.json({ error: "busy" }, { status: 403 }), () => undefined],
  ["is no JSON", new Response("<html>", { status: 403 }), () => "ended"],
  ["has no body", new Response(null, { status: 204 }), () => "ended"],
  ["cannot be read by the integration", Response.json(null), ({ body }) => (body as { ok: never }).ok],
  ["is a 500", Response.json({ error: "revoked" }, { status: 500 }), () => "ended"],
])("an answer that %s is not repeated, and can be read", async (_which, given, tokenRefusal) => {
  const text = await given.clone().text();
  let sent = 0;
  const fetch = authorizedFetch(
    async () => {
      sent += 1;
      return given;
    },
    {
      ...{
        origins: ["https://api.bank.example"],
        accountSinceMs: 5,
        tokenRefusal,
        refusedAgain: async () => undefined,
      },
      ready: async () => ({ status: "ready", accessToken: "a1", generation: 1, accountSinceMs: 5 }),
      renew: async () => Promise.reject(new Error("renewed")),
    },
  );
  const answer = await fetch(url, { method: "POST", body: "{}" });
  expect([sent, answer.status, await answer.text()]).toEqual([1, given.status, text]);
});

test("nothing is sent without a token", async () => {
  const fetch = authorizedFetch(async () => Promise.reject(new Error("sent")), {
    ...{
      origins: ["https://api.bank.example"],
      accountSinceMs: 5,
      tokenRefusal: undefined,
      refusedAgain: async () => undefined,
    },
    ready: async () => ({ status: "later", atMs: 1, message: "The authorization server gave no access token." }),
    renew: async () => Promise.reject(new Error("renewed")),
  });
  await expect(fetch(url)).rejects.toMatchObject({ failure: "unauthorized", sent: "no" });
});
