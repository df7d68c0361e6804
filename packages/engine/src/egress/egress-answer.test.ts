/** The bytes of a request and the reading of its answer, over real sockets. */
import type { Socket } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { answering, http, listen, timersByDelay, onceRead } from "./listeners.fixture.ts";
import { createEgress, type Egress, type EgressOptions, type EgressResponse } from "./egress.ts";

function egress(options: EgressOptions = {}): Egress {
  const created = createEgress({ allowNetworks: ["127.0.0.1"], ...options });
  onTestFinished(() => created.close());
  return created;
}

const text = (answer: EgressResponse) => Buffer.from(answer.body).toString();
const chunked = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";

describe("the request", () => {
  test("arrives with the given method, path, headers and body and with one host and one length", async () => {
    const server = await listen(answering(http("200 OK", [])));
    await egress().fetch({
      url: `http://127.0.0.1:${server.port}/a%2Fb?c=d#e`,
      method: "patch",
      headers: { "X-Key": "ä", "content-type": "application/json" },
      body: '{"ü":1}',
    });
    const [head = "", body = ""] = server.received().split("\r\n\r\n");
    expect(head.split("\r\n")).toEqual([
      "PATCH /a%2Fb?c=d HTTP/1.1",
      `host: 127.0.0.1:${server.port}`,
      "connection: keep-alive",
      "user-agent: Procedo",
      "accept-encoding: identity",
      "x-key: ä",
      "content-type: application/json",
      "content-length: 8",
    ]);
    expect(Buffer.from(body, "latin1").toString()).toBe('{"ü":1}');
  });

  test("a body of bytes is sent as it is, also as part of a larger buffer", async () => {
    const server = await listen(answering(http("200 OK", [])));
    const body = new Uint8Array([9, 9, 0xff, 0, 1, 9]).subarray(2, 5);
    await egress().fetch({ url: `http://127.0.0.1:${server.port}/`, method: "POST", body });
    expect(server.received()).toMatch(/content-length: 3\r\n\r\n\xff\0\x01$/);
  });
});

describe("the answer", () => {
  test("has status, headers with repeated ones kept apart, and the body", async () => {
    const server = await listen(
      answering(http("418 Teapot", ["Set-Cookie: a=1", "Set-Cookie: b=2", "X-A: 1", "x-a: 2"], "hi")),
    );
    const answer = await egress().fetch({ url: `http://127.0.0.1:${server.port}/x` });
    expect([answer.status, text(answer), answer.truncated]).toEqual([418, "hi", false]);
    expect(answer.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
    expect(answer.headers.get("x-a")).toBe("1, 2");
    expect(answer.url).toBe(`http://127.0.0.1:${server.port}/x`);
  });

  test("may have headers named like members of Object", async () => {
    const headers = ["__proto__: a", "__proto__: b", "constructor: c", "toString: d", "hasOwnProperty: e"];
    const server = await listen(answering(http("200 OK", headers)));
    const answer = await egress().fetch({ url: `http://127.0.0.1:${server.port}/` });
    expect([answer.headers.get("constructor"), answer.headers.get("tostring")]).toEqual(["c", "d"]);
    expect(({} as Record<string, unknown>)["a"]).toBeUndefined();
  });

  test.each([
    ["chunked", `${chunked}3\r\nabc\r\n3\r\ndef\r\n0\r\n\r\n`, "abcdef"],
    ["until the connection ends", "HTTP/1.1 200 OK\r\n\r\nabcdef", "abcdef"],
    ["of HTTP/1.0", "HTTP/1.0 200 OK\r\n\r\nabcdef", "abcdef"],
    ["after early hints", `HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n${http("200 OK", [], "abcdef")}`, "abcdef"],
    ["without body", "HTTP/1.1 204 No Content\r\n\r\n", ""],
  ])("%s", async (_case, bytes, expected) => {
    const server = await listen((socket) => socket.once("data", () => socket.end(bytes)));
    expect(text(await egress().fetch({ url: `http://127.0.0.1:${server.port}/` }))).toBe(expected);
  });

  test("to a HEAD request has no body", async () => {
    const head = "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n";
    const server = await listen((socket) => socket.once("data", () => socket.write(head)));
    const answer = await egress().fetch({ url: `http://127.0.0.1:${server.port}/`, method: "HEAD" });
    expect([answer.status, text(answer), answer.headers.get("content-length")]).toEqual([200, "", "5"]);
  });
});

describe("an answer that is too long", () => {
  const endless = (socket: Socket) =>
    socket.once("data", () => {
      socket.write(chunked);
      const more = () => void socket.write(`2800\r\n${"x".repeat(0x2800)}\r\n`, (error) => error ?? setImmediate(more));
      more();
    });

  test("is an error, and the connection is closed", async () => {
    const server = await listen(endless);
    const failed = egress().fetch({ url: `http://127.0.0.1:${server.port}/`, maxResponseBytes: 20_000 });
    await expect(failed).rejects.toThrow(
      expect.objectContaining({
        failure: "too_large",
        sent: "maybe",
        responseStatus: 200,
        code: "upstream_unreachable",
      }),
    );
  });

  test("is truncated where the caller accepts that", async () => {
    const server = await listen(endless);
    const request = { url: `http://127.0.0.1:${server.port}/`, onOversize: "truncate" } as const;
    const answer = await egress({ maxResponseBytes: 20_000 }).fetch(request);
    expect([answer.status, answer.body.byteLength, answer.truncated]).toEqual([200, 20_000, true]);
  });

  test("is not one with exactly the maximum length", async () => {
    const server = await listen(answering(http("200 OK", [], "12345")));
    const url = `http://127.0.0.1:${server.port}/`;
    expect((await egress().fetch({ url, maxResponseBytes: 5, onOversize: "truncate" })).truncated).toBe(false);
    await expect(egress().fetch({ url, maxResponseBytes: 4 })).rejects.toThrow(/longer than 4 bytes/);
  });
});

describe("where truncated answers are accepted", () => {
  test("returns the part of a body that arrived before the deadline", async () => {
    const { clock, fire } = timersByDelay();
    const slow = await listen(answering(`${chunked}1\r\nx\r\n`));
    onceRead("bodyChunkReceived", () => fire(77));
    const request = { url: `http://127.0.0.1:${slow.port}/`, onOversize: "truncate", timeoutMs: 77 } as const;
    const answer = await egress({ clock }).fetch(request);
    expect([answer.status, text(answer), answer.truncated]).toEqual([200, "x", true]);
  });

  test("returns the part of an interrupted body that arrived", async () => {
    const cut = await listen((socket) => socket.once("data", () => socket.end(`${chunked}1\r\nx\r\n`)));
    const answer = await egress().fetch({ url: `http://127.0.0.1:${cut.port}/`, onOversize: "truncate" });
    expect([answer.status, text(answer), answer.truncated]).toEqual([200, "x", true]);
  });

  test("an abort is still an abort", async () => {
    const abort = new AbortController();
    const server = await listen(answering(`${chunked}1\r\nx\r\n`));
    onceRead("bodyChunkReceived", () => abort.abort());
    const request = { url: `http://127.0.0.1:${server.port}/`, onOversize: "truncate", signal: abort.signal } as const;
    await expect(egress().fetch(request)).rejects.toThrow(
      expect.objectContaining({ failure: "aborted", sent: "maybe" }),
    );
  });
});
