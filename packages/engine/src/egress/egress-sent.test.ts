/** Whether a failed request may have had an effect, over real sockets that fail at each moment. */
import { inspect } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";
import { answering, closedPort, http, listen, timersByDelay, onceRead } from "./listeners.fixture.ts";
import { createEgress, type Egress, type EgressOptions } from "./egress.ts";
import type { EgressError } from "./egress-error.ts";

function egress(options: EgressOptions = {}): Egress {
  const created = createEgress({ allowNetworks: ["127.0.0.1"], ...options });
  onTestFinished(() => created.close());
  return created;
}

const post = (port: number) => ({ url: `http://127.0.0.1:${port}/pay?key=canary`, method: "POST", body: "canary" });
const failing = (failure: string, sent: string, more: object = {}) =>
  expect.objectContaining({ name: "ProcedoError", failure, sent, ...more });

describe.each(["reuse", "fresh"] as const)("with a %s connection", (connection) => {
  test("a refused connection: not sent", async () => {
    const failed = egress().fetch({ ...post(await closedPort()), connection });
    await expect(failed).rejects.toThrow(failing("connect", "no", { code: "upstream_unreachable" }));
  });

  test("a name that does not resolve: not sent", async () => {
    const client = egress({ resolve: () => Promise.reject(new Error("ENOTFOUND")) });
    await expect(client.fetch({ url: "https://gone.test/", connection })).rejects.toThrow(failing("dns", "no"));
  });

  test("a reset during the TLS handshake: not sent", async () => {
    const server = await listen((socket) => socket.once("data", () => socket.resetAndDestroy()));
    const failed = egress().fetch({ ...post(server.port), url: `https://127.0.0.1:${server.port}/`, connection });
    await expect(failed).rejects.toThrow(failing("tls", "no"));
  });

  test("a plain server on an https address: not sent", async () => {
    const server = await listen((socket) => socket.once("data", () => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n")));
    const failed = egress().fetch({ ...post(server.port), url: `https://127.0.0.1:${server.port}/`, connection });
    await expect(failed).rejects.toThrow(failing("tls", "no"));
  });

  test("a reset or an end after the request arrived: maybe", async () => {
    for (const cut of ["resetAndDestroy", "end", "destroy"] as const) {
      const server = await listen((socket) => socket.once("data", () => socket[cut]()));
      await expect(egress().fetch({ ...post(server.port), connection })).rejects.toThrow(
        failing("connection_lost", "maybe", { responseStatus: undefined }),
      );
      expect(server.received()).toContain("POST /pay");
    }
  });

  test("a request is never sent a second time by the client itself", async () => {
    const server = await listen((socket) => socket.once("data", () => socket.resetAndDestroy()));
    const failed = egress().fetch({ url: `http://127.0.0.1:${server.port}/`, method: "GET", connection });
    await expect(failed).rejects.toThrow(failing("connection_lost", "maybe"));
    expect(server.arrivals).toHaveLength(1);
  });

  test("a head that is cut off: maybe", async () => {
    const server = await listen((socket) => socket.once("data", () => socket.end("HTTP/1.1 200 OK\r\ncontent-le")));
    await expect(egress().fetch({ ...post(server.port), connection })).rejects.toThrow(
      failing("connection_lost", "maybe", { responseStatus: undefined }),
    );
  });

  test("a body that is cut off: maybe, and the status is known", async () => {
    const cut = "HTTP/1.1 201 Created\r\ncontent-length: 100\r\n\r\npart";
    const server = await listen((socket) => socket.once("data", () => socket.end(cut)));
    await expect(egress().fetch({ ...post(server.port), connection })).rejects.toThrow(
      failing("connection_lost", "maybe", { responseStatus: 201 }),
    );
  });

  test.each([
    "not http at all\r\n\r\n",
    "HTTP/1.1 999999 X\r\n\r\n",
    "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n",
    "HTTP/1.1 200 OK\r\nbad header\r\n\r\n",
    "HTTP/1.1 200 OK\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\nhello",
    `HTTP/1.1 200 OK\r\nx: ${"y".repeat(40_000)}\r\n\r\n`,
  ])("an answer that is not valid HTTP: maybe (%#)", async (bytes) => {
    const server = await listen((socket) => socket.once("data", () => socket.end(bytes)));
    await expect(egress().fetch({ ...post(server.port), connection })).rejects.toThrow(failing("response", "maybe"));
  });

  test("a deadline while the name resolves: not sent", async () => {
    const { clock, fire } = timersByDelay();
    const resolving = Promise.withResolvers<void>();
    const hangs = () => (resolving.resolve(), new Promise<never>(() => {}));
    const failed = egress({ clock, resolve: hangs }).fetch({ url: "http://slow.test/", timeoutMs: 77, connection });
    await resolving.promise;
    fire(77);
    await expect(failed).rejects.toThrow(failing("timeout", "no"));
    fire(10_000);
  });

  test("a lookup or handshake beyond the time limit for connecting: not sent", async () => {
    const { clock, fire } = timersByDelay();
    const resolving = Promise.withResolvers<void>();
    const hangs = () => (resolving.resolve(), new Promise<never>(() => {}));
    const naming = egress({ clock, resolve: hangs }).fetch({ url: "http://slow.test/", connection });
    await resolving.promise;
    fire(10_000);
    await expect(naming).rejects.toThrow(failing("timeout", "no"));

    const arrived = Promise.withResolvers<void>();
    const silent = await listen((socket) => socket.once("data", () => arrived.resolve()));
    const shaking = egress({ clock }).fetch({ url: `https://127.0.0.1:${silent.port}/`, connection });
    await arrived.promise;
    fire(10_000);
    await expect(shaking).rejects.toThrow(failing("timeout", "no"));
  });

  test("a deadline before the head: maybe", async () => {
    const { clock, fire, pending } = timersByDelay();
    const server = await listen((socket) => socket.once("data", () => fire(77)));
    const failed = egress({ clock }).fetch({ ...post(server.port), timeoutMs: 77, connection });
    await expect(failed).rejects.toThrow(failing("timeout", "maybe", { responseStatus: undefined }));
    expect(pending()).toBe(0);
  });

  test("an answer that is in the socket when an expired deadline is noticed is in time", async () => {
    const { clock, fire } = timersByDelay();
    const server = await listen((socket) =>
      socket.once("data", () => {
        socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
        // The answer has not been read in this turn, as after a pause of the process.
        fire(77);
      }),
    );
    const answer = await egress({ clock }).fetch({ ...post(server.port), timeoutMs: 77, connection });
    expect(answer.status).toBe(200);
  });

  test("a deadline after the head: maybe, and the status is known", async () => {
    const { clock, fire, pending } = timersByDelay();
    const server = await listen(answering("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc"));
    onceRead("headers", () => fire(77));
    const failed = egress({ clock }).fetch({ ...post(server.port), timeoutMs: 77, connection });
    await expect(failed).rejects.toThrow(failing("timeout", "maybe", { responseStatus: 200 }));
    expect(pending()).toBe(0);
  });

  test("aborted before it began: not sent, and no connection is opened", async () => {
    const server = await listen();
    const signal = AbortSignal.abort(new Error("lease lost"));
    const failed = egress().fetch({ ...post(server.port), signal, connection });
    await expect(failed).rejects.toThrow(
      failing("aborted", "no", { cause: expect.objectContaining({ message: "lease lost" }) }),
    );
    expect(server.arrivals).toEqual([]);
  });

  test("aborted while the name resolves: not sent", async () => {
    const resolving = Promise.withResolvers<void>();
    const client = egress({ resolve: () => (resolving.resolve(), new Promise(() => {})) });
    const abort = new AbortController();
    const failed = client.fetch({ ...post(0), url: "http://slow.test/", signal: abort.signal, connection });
    await resolving.promise;
    abort.abort();
    await expect(failed).rejects.toThrow(failing("aborted", "no"));
  });

  test("aborted after it arrived: maybe", async () => {
    const abort = new AbortController();
    const server = await listen((socket) => socket.once("data", () => abort.abort()));
    const failed = egress().fetch({ ...post(server.port), signal: abort.signal, connection });
    await expect(failed).rejects.toThrow(failing("aborted", "maybe"));
  });

  test("withheld right before sending: not sent, with the reason", async () => {
    const server = await listen(answering(http("200 OK", [])));
    const withheld = { ...post(server.port), connection, beforeSend: () => "the lease is lost" };
    await expect(egress().fetch(withheld)).rejects.toThrow(failing("withheld", "no"));
    await expect(egress().fetch(withheld)).rejects.toThrow(/the lease is lost/);
    const throwing = () => {
      throw new Error("clock is broken");
    };
    await expect(egress().fetch({ ...withheld, beforeSend: throwing })).rejects.toThrow(failing("withheld", "no"));
    expect(server.received()).toBe("");
  });

  test("calls beforeSend when the connection is open, once per hop", async () => {
    const server = await listen(
      answering((head) => http(head.startsWith("GET /2") ? "200 OK" : "302 Found", ["location: /2"])),
    );
    const arrivalsWhenAsked: number[] = [];
    const beforeSend = () => void arrivalsWhenAsked.push(server.arrivals.length);
    const request = { url: `http://127.0.0.1:${server.port}/1`, redirects: 1, connection };
    expect((await egress().fetch({ ...request, beforeSend: () => void beforeSend() })).status).toBe(200);
    expect(arrivalsWhenAsked).toHaveLength(2);
    let asked = 0;
    const second = egress().fetch({ ...request, beforeSend: () => (++asked === 2 ? "too late" : undefined) });
    await expect(second).rejects.toThrow(failing("withheld", "maybe"));
  });

  test("a closed client: not sent", async () => {
    const client = egress();
    await client.close();
    const failed = client.fetch({ ...post(1), connection });
    await expect(failed).rejects.toThrow(failing("closed", "no", { code: "shutting_down" }));
  });

  test("a request that is not valid: not sent", async () => {
    const server = await listen();
    for (const wrong of [
      { method: "TRACE" },
      { method: "A B" },
      { headers: { host: "x" } },
      { headers: { x: "a\r\nb" } },
    ]) {
      await expect(egress().fetch({ ...post(server.port), ...wrong, connection })).rejects.toThrow(
        failing("request", "no", { code: "invalid_input" }),
      );
    }
    expect(server.arrivals).toEqual([]);
  });
});

test("an aborted request is not sent, and opens no connection afterwards", async () => {
  const server = await listen(answering(http("200 OK", [], "late")));
  const resolving = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<string[]>();
  const client = egress({ resolve: () => (resolving.resolve(), answer.promise) });
  const abort = new AbortController();
  const failed = client.fetch({ ...post(0), url: `http://slow.test:${server.port}/`, signal: abort.signal });
  await resolving.promise;
  abort.abort();
  await expect(failed).rejects.toThrow(failing("aborted", "no"));
  answer.resolve(["127.0.0.1"]);
  await client.fetch({ url: `http://127.0.0.1:${server.port}/second` });
  expect(server.arrivals).toEqual(["127.0.0.1"]);
  expect(server.received()).toMatch(/^GET \/second /);
});

test("closing waits for the requests in progress and refuses further ones", async () => {
  const server = await listen(answering(http("200 OK", [], "late")));
  const client = egress();
  const answer = client.fetch({ url: `http://127.0.0.1:${server.port}/` });
  await client.close();
  expect((await answer).status).toBe(200);
  await expect(client.fetch({ url: `http://127.0.0.1:${server.port}/` })).rejects.toThrow(failing("closed", "no"));
});

test("the error of an unreadable answer does not contain the answer, not even in its cause", async () => {
  const { port } = await listen((socket) =>
    socket.once("data", () => socket.end("HTTP/1.1 200 OK\r\ncanary canary\r\n\r\n")),
  );
  const error: unknown = await egress()
    .fetch(post(port))
    .catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ failure: "response" });
  expect(inspect(error, { depth: 9, showHidden: true })).not.toContain("canary");
});

test("no error names the path, the query or the body", async () => {
  const refused = await closedPort();
  const cut = (await listen((socket) => socket.once("data", () => socket.destroy()))).port;
  const redirecting = (await listen(answering(http("302 X", ["location: http://10.0.0.1/canary"])))).port;
  for (const port of [refused, cut, redirecting]) {
    const error = await egress()
      .fetch({ ...post(port), headers: { authorization: "canary" }, redirects: 1 })
      .then(
        () => undefined,
        (thrown: EgressError) => thrown,
      );
    expect(error?.message).toMatch(/127\.0\.0\.1|10\.0\.0\.1/);
    expect(`${error?.message} ${JSON.stringify(error?.details)}`).not.toContain("canary");
  }
});
