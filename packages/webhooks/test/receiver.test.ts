import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { signWebhook, type WebhookEvent } from "@procedo/webhooks";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { chunked, type RawRequest, sendRaw, split } from "./raw-request.ts";
import { createReceiver, type ReceiverOptions } from "./receiver.ts";
import { completed, exactBytes, failed, notEvents, secret } from "./vectors.ts";

let server: Server;
let port: number;
let stored: WebhookEvent[];
let log: string[];

async function listen(options: Partial<ReceiverOptions> = {}): Promise<void> {
  stored = [];
  log = [];
  server = createServer(
    createReceiver({
      path: "/webhooks",
      secret,
      store: async (event) => {
        if (!stored.some(({ id }) => id === event.id)) stored.push(event);
      },
      refused: (reason) => log.push(reason),
      ...options,
    }),
  ).listen(0, "127.0.0.1");
  await once(server, "listening");
  port = (server.address() as AddressInfo).port;
}

async function close(): Promise<void> {
  server.closeAllConnections();
  server.close();
  await once(server, "close");
}

beforeEach(() => listen());
afterEach(close);

const body = Buffer.from(String(completed.body));
const json = ["Content-Type", "application/json"] as const;
const signed = ["X-Service-Signature", completed.signature] as const;
const lengthOf = (bytes: Uint8Array) => ["Content-Length", String(bytes.length)] as const;

/** The valid request, in one piece, with some parts replaced. */
const send = (request: Partial<RawRequest> = {}) =>
  sendRaw(port, { headers: [json, signed, lengthOf(body)], pieces: [body], ...request });

/** A request with a body and a valid signature. */
const sendBody = (given: string | Uint8Array, key = secret) => {
  const bytes = Buffer.from(given);
  const signature = ["X-Service-Signature", signWebhook({ body: bytes, secret: key })] as const;
  return send({ headers: [json, signature, lengthOf(bytes)], pieces: [bytes] });
};

describe("the bytes", () => {
  test.each(Object.entries(exactBytes))(
    "arrive completely, split over packets inside letters: %s",
    async (_name, vector) => {
      const bytes = Buffer.from(String(vector.body));
      const headers = [json, ["x-service-signature", vector.signature], lengthOf(bytes)] as const;
      expect(await send({ headers, pieces: split(bytes, 37) })).toMatchObject({ status: 204 });
      expect(stored).toEqual([JSON.parse(String(vector.body))]);
    },
  );

  test.each(Object.entries(exactBytes))("arrive completely in chunks: %s", async (_name, vector) => {
    const headers = [json, ["X-SERVICE-SIGNATURE", vector.signature], ["Transfer-Encoding", "chunked"]] as const;
    const pieces = chunked(split(Buffer.from(String(vector.body)), 23));
    expect(await send({ headers, pieces })).toMatchObject({ status: 204 });
    expect(stored).toHaveLength(1);
  });

  test("are refused if they are compressed, regardless of the signed bytes", async () => {
    const bytes = gzipSync(body);
    const encoding = ["Content-Encoding", "gzip"] as const;
    const wireSignature = ["X-Service-Signature", signWebhook({ body: bytes, secret })] as const;
    for (const signature of [signed, wireSignature]) {
      const answer = await send({ headers: [json, signature, encoding, lengthOf(bytes)], pieces: [bytes] });
      expect(answer.status).toBe(415);
    }
    expect(stored).toEqual([]);
  });

  test("are refused if there are too many, declared or not, before all have arrived", async () => {
    const announced = ["Content-Length", String(100 * 1024 * 1024)] as const;
    expect(await send({ headers: [json, signed, announced], pieces: [body] })).toMatchObject({ status: 413 });
    // The last chunk never arrives: an answer shows that the receiver did not wait for it.
    const pieces = chunked(split(Buffer.alloc(6 * 1024 * 1024, " "), 1024 * 1024)).slice(0, -1);
    const answer = await send({ headers: [json, signed, ["Transfer-Encoding", "chunked"]], pieces });
    expect(answer.status).toBe(413);
    expect(stored).toEqual([]);
  });
});

describe("the signature", () => {
  const refusals = {
    missing: [json, lengthOf(body)],
    malformed: [json, ["X-Service-Signature", "sha256=bad"], lengthOf(body)],
    wrong: [json, ["X-Service-Signature", failed.signature], lengthOf(body)],
    repeated: [json, signed, signed, lengthOf(body)],
    "repeated, wrong one last": [json, signed, ["X-Service-Signature", failed.signature], lengthOf(body)],
  } as const;

  test("that is missing, malformed, wrong or repeated gets the same answer; only the log distinguishes them", async () => {
    const answers = [];
    for (const headers of Object.values(refusals)) answers.push(await send({ headers }));
    const withoutDate = answers.map(({ text }) => text.replace(/^Date: .*\r\n/m, ""));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
    expect(new Set(withoutDate).size).toBe(1);
    expect(new Set(log).size).toBe(3);
    expect(stored).toEqual([]);
  });

  test("of another webhook's secret is refused", async () => {
    expect(await sendBody(body, "whsec_another")).toMatchObject({ status: 401 });
    expect(stored).toEqual([]);
  });

  test("with the old secret is accepted from a service that rotated", async () => {
    const byNew = ["X-Service-Signature", signWebhook({ body, secret: "whsec_new" })] as const;
    const byOld = ["X-Service-Signature-Old", completed.signature] as const;
    expect(await send({ headers: [json, byNew, byOld, lengthOf(body)] })).toMatchObject({ status: 204 });
    expect(await send({ headers: [json, byNew, byOld, byOld, lengthOf(body)] })).toMatchObject({ status: 401 });
    expect(stored).toHaveLength(1);
  });

  test("is checked before the body: invalid JSON gets 400 only if it is signed", async () => {
    for (const vector of Object.values(notEvents)) {
      const bytes = Buffer.from(vector.body);
      const headers = [json, ["X-Service-Signature", vector.signature], lengthOf(bytes)] as const;
      expect(await send({ headers, pieces: [bytes] })).toMatchObject({ status: 400 });
      expect(await send({ headers: [json, signed, lengthOf(bytes)], pieces: [bytes] })).toMatchObject({ status: 401 });
    }
    expect(stored).toEqual([]);
  });

  test("stays required after very many forgeries, and a valid one is still accepted", async () => {
    for (let n = 0; n < 200; n += 1) expect((await send({ headers: refusals.wrong })).status).toBe(401);
    expect(stored).toEqual([]);
    expect(await send()).toMatchObject({ status: 204 });
  });

  test("cannot be checked without a secret: nothing passes", async () => {
    await close();
    await listen({ secret: "" });
    expect(await send()).toMatchObject({ status: 500 });
    expect(await send({ headers: [json, lengthOf(body)] })).toMatchObject({ status: 500 });
    expect(stored).toEqual([]);
  });
});

describe("no other way to deliver", () => {
  const unsigned = [json, lengthOf(body)] as const;

  test.each(["GET", "HEAD", "OPTIONS", "PUT", "DELETE"])("%s is not a delivery, signed or not", async (method) => {
    for (const headers of [unsigned, [...unsigned, signed]]) {
      const answer = await send({ method, headers });
      expect(answer.status).toBe(405);
      expect(answer.text).toContain("Allow: POST");
    }
    expect(stored).toEqual([]);
  });

  test.each([
    ["a health check's query", "/webhooks?ssl_check=1", unsigned],
    ["a flag in the query", "/webhooks?skip=true&verify=0", unsigned],
    ["the signature in the query", `/webhooks?X-Service-Signature=${completed.signature}`, unsigned],
    ["another method in a header", "/webhooks", [...unsigned, ["X-HTTP-Method-Override", "GET"]] as const],
    ["a forwarded address", "/webhooks", [...unsigned, ["X-Forwarded-For", "127.0.0.1"]] as const],
    ["a rewritten path", "/webhooks", [...unsigned, ["X-Original-URL", "/health"]] as const],
    ["a cookie", "/webhooks", [...unsigned, ["Cookie", signed.join("=")]] as const],
  ])("%s has no effect", async (_name, path, headers) => {
    expect(await send({ path, headers })).toMatchObject({ status: 401 });
    expect(stored).toEqual([]);
  });

  test.each([
    ["none", []],
    ["a form's", [["Content-Type", "application/x-www-form-urlencoded"]]],
    ["text", [["Content-Type", "text/plain"]]],
    ["a longer name", [["Content-Type", "application/json-patch+json"]]],
  ] as const)("a content type that is %s is refused, even if it is signed", async (_name, type) => {
    expect(await send({ headers: [...type, signed, lengthOf(body)] })).toMatchObject({ status: 415 });
    expect(stored).toEqual([]);
  });

  test("a content type with a character set is accepted", async () => {
    const headers = [["Content-Type", "Application/JSON; charset=utf-8"], signed, lengthOf(body)] as const;
    expect(await send({ headers })).toMatchObject({ status: 204 });
  });

  test("another path is not a receiver", async () => {
    expect(await send({ path: "/webhooks/other" })).toMatchObject({ status: 404 });
    expect(stored).toEqual([]);
  });
});

describe("repeated deliveries", () => {
  test("are accepted and stored once", async () => {
    const statuses = await Promise.all(Array.from({ length: 5 }, async () => (await send()).status));
    expect(statuses).toEqual([204, 204, 204, 204, 204]);
    expect(stored).toHaveLength(1);
  });

  test("with one id and two bodies: one of them counts", async () => {
    expect(await send()).toMatchObject({ status: 204 });
    expect(await sendBody(failed.body)).toMatchObject({ status: 204 });
    expect(stored).toEqual([JSON.parse(String(completed.body))]);
  });

  test("are requested again if the store fails", async () => {
    await close();
    await listen({ store: () => Promise.reject(new Error("disk full")) });
    expect(await send()).toMatchObject({ status: 500 });
    expect(log).toEqual(["disk full"]);
  });
});
