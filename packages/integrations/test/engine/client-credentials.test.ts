import { expect, onTestFinished, test } from "vitest";
import { headerOf, recordingServer } from "../calls/recording-server.ts";
import { ledgerDocument } from "../custom-api/documents.ts";
import { callDocument, ledgerEngine } from "./ledger-engine.ts";

const clientSecret = "cl1ent-s3cret-5f0c3c1e8b5e";
const json = { "content-type": "application/json" };

const tokenAnswer = (accessToken: string) => ({
  status: 200,
  headers: json,
  body: JSON.stringify({ access_token: accessToken, token_type: "Bearer", expires_in: 3_600 }),
});

/** A ledger whose authorization server is on another port. */
async function connected() {
  const [harness, server] = [await ledgerEngine(), await authorizationServer()];
  const authentication = {
    ...{ method: "client_credentials", tokenUrl: `${server.origin}/token`, clientId: "procedo", scopes: ["pay"] },
    parameters: { audience: "https://ledger.test" },
  };
  const spec = { text: ledgerDocument(`${harness.server.origin}/v1`) };
  const settings = { spec, authentication, idempotencyHeader: "Idempotency-Key" };
  await harness.connect(settings, { clientSecret });
  return { ...harness, authorization: server };
}

async function authorizationServer() {
  const server = await recordingServer();
  onTestFinished(() => server.close());
  return server;
}

const pay = callDocument("pay.now", { amount: 1250 });

test("a call carries a token that its client got, and the record has neither the token nor the secret", async () => {
  const { server, authorization, run, engine } = await connected();
  authorization.answers = [tokenAnswer("t0ken-one-d4c3b2a1")];
  server.answers = [{ status: 201, headers: json, body: '{"id":"pay_1","echo":"t0ken-one-d4c3b2a1"}' }];
  const done = await run(pay);
  expect(done).toMatchObject({ status: "completed", output: { answer: { id: "pay_1" } } });
  const asked = authorization.last();
  expect(new URLSearchParams(asked.body.toString("utf8"))).toEqual(
    new URLSearchParams({ audience: "https://ledger.test", scope: "pay", grant_type: "client_credentials" }),
  );
  expect(headerOf(asked, "authorization")).toEqual([expect.stringMatching(/^Basic /)]);
  expect(headerOf(server.last(), "authorization")).toEqual(["Bearer t0ken-one-d4c3b2a1"]);
  const listed = await engine.connections.list({ environment: "sandbox", limit: 10 });
  expect(JSON.stringify([done, listed])).not.toMatch(/t0ken-one|cl1ent-s3cret/);
});

test("a call that is refused with 401 gets another token once, and keeps its idempotency key", async () => {
  const { server, authorization, run } = await connected();
  authorization.answers = [tokenAnswer("t0ken-one-d4c3b2a1"), tokenAnswer("t0ken-two-a1b2c3d4")];
  server.answers = [{ status: 401 }, { status: 201, headers: json, body: "{}" }];
  expect((await run(pay)).status).toBe("completed");
  expect(server.requests.map((sent) => headerOf(sent, "authorization")[0])).toEqual([
    "Bearer t0ken-one-d4c3b2a1",
    "Bearer t0ken-two-a1b2c3d4",
  ]);
  expect(new Set(server.requests.flatMap((sent) => headerOf(sent, "idempotency-key"))).size).toBe(1);
});
