import type { JsonObject } from "@procedo/contract";
import { createRedactor, EgressError, type TestContext } from "@procedo/engine";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { customApi } from "../../src/custom-api/custom-api.ts";
import { headerOf, recordingServer, type RecordingServer } from "../calls/recording-server.ts";
import { ledgerDocument, ledgerPaths, ready } from "./documents.ts";

let server: RecordingServer;
beforeAll(async () => {
  server = await recordingServer();
});
afterAll(() => server.close());
beforeEach(() => {
  server.requests.splice(0);
});

const secrets = { token: "t0ken" };
const context: TestContext = {
  secrets,
  redactor: createRedactor(Object.values(secrets)),
  fetch,
  signal: new AbortController().signal,
};

async function tested(paths: JsonObject = ledgerPaths, given = context) {
  const integration = customApi();
  const spec = { text: ledgerDocument(`${server.origin}/v1`, paths) };
  const { connection } = await ready(
    { settings: { spec, authentication: { method: "bearer_token" } }, secrets },
    integration,
  );
  return integration.test(connection, given);
}

test("the test calls the shortest path that reads without input, with the credentials", async () => {
  server.answers = [{ status: 200 }];
  expect(await tested()).toEqual({ ok: true });
  const sent = server.last();
  expect([sent.method, sent.target]).toEqual(["GET", "/v1/health"]);
  expect(headerOf(sent, "authorization")).toEqual(["Bearer t0ken"]);
});

test.each([
  [204, true],
  [302, true],
  [401, false],
  [403, false],
  [404, false],
  [500, false],
])("a test operation that answers %d: ok %j", async (status, ok) => {
  server.answers = [{ status }];
  expect(await tested()).toMatchObject({ ok });
});

test.each([
  [404, true],
  [405, true],
  [401, false],
  [503, false],
])("without such an operation, the base URL is called; %d: ok %j", async (status, ok) => {
  server.answers = [{ status }];
  const { "/payments": payments } = ledgerPaths;
  expect(await tested({ "/payments": payments ?? null })).toMatchObject({ ok });
  expect(server.last().target).toBe("/v1/");
});

test("rejected credentials are reported but not shown", async () => {
  server.answers = [{ status: 401, body: "t0ken" }];
  const answer = await tested();
  expect(answer).toEqual({ ok: false, error: expect.stringMatching(/credentials were rejected.*401/) as string });
  expect(JSON.stringify(answer)).not.toContain("t0ken");
});

test("an address that does not answer is reported with the guarded client's message", async () => {
  const error = new EgressError("connect", 'The connection to "x" could not be opened.', { sent: "no" });
  const answer = await tested(ledgerPaths, { ...context, fetch: () => Promise.reject(error) });
  expect(answer).toEqual({ ok: false, error: error.message });
});
