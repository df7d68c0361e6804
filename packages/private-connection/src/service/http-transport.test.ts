import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { type AddressInfo, createServer as createSocketServer, type Socket } from "node:net";
import { Agent, ProxyAgent } from "undici";
import { expect, onTestFinished, test } from "vitest";
import { createTestRuntime, settle, type TestRuntime } from "../../test/test-runtime.ts";
import { createDispatcher } from "./dispatcher.ts";
import { createHttpTransport } from "./http-transport.ts";
import type { Transport, TransportRequest } from "./transport.ts";

const request: TransportRequest = { method: "GET", path: "/v1/x?y=1", headers: {}, silenceMs: 30_000, maxBytes: 100 };

/** A transport to a separate server, below the path `/prefix`. */
async function transportTo(
  listener: RequestListener,
): Promise<{ readonly transport: Transport; readonly runtime: TestRuntime }> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  const runtime = createTestRuntime();
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/prefix`;
  const transport = createHttpTransport({ url, connect: () => new Agent(), runtime });
  onTestFinished(async () => {
    await transport.close();
    server.closeAllConnections();
    server.close();
  });
  return { transport, runtime };
}

test("a request is sent to its path below the address, and its answer is read completely", async () => {
  const { transport } = await transportTo((asked, answer) => {
    answer.writeHead(201, { "Retry-After": "7" }).write(`${asked.method} ${asked.url} `);
    asked.pipe(answer);
  });
  const { status, header, text } = await transport.send({ ...request, method: "POST", body: "é" });
  expect([status, header("retry-after"), header("other"), text]).toEqual([
    201,
    "7",
    undefined,
    "POST /prefix/v1/x?y=1 é",
  ]);
});

test("interim answers are ignored", async () => {
  const { transport } = await transportTo((_asked, answer) => {
    answer.writeEarlyHints({ link: "</style.css>; rel=preload" }, () => answer.writeHead(200).end("done"));
  });
  expect(await transport.send(request)).toMatchObject({ status: 200, text: "done" });
});

test.each(["100 Continue", "102 Processing", "103 Early Hints\r\nlink: </a>"])(
  "an answer after an unrequested %s is received, on a kept connection too",
  async (interim) => {
    const server = createSocketServer((socket) =>
      socket.on("data", () => {
        socket.write(`HTTP/1.1 ${interim}\r\n\r\nHTTP/1.1 ${interim}`);
        setImmediate(() => socket.write("\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\ndone"));
      }),
    ).listen(0, "127.0.0.1");
    await once(server, "listening");
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const proxies = { httpProxy: "", httpsProxy: "", noProxy: "" };
    const connect = createDispatcher({ url, proxy: false, proxies, ca: undefined });
    const transport = createHttpTransport({ url, connect, runtime: createTestRuntime() });
    onTestFinished(async () => {
      await transport.close();
      server.close();
    });
    for (let nth = 0; nth < 3; nth++) {
      expect(await transport.send({ ...request, method: "POST", body: "x" })).toMatchObject({
        status: 200,
        text: "done",
      });
    }
  },
);

test("an answer may take any time while data arrives, and silence ends it", async () => {
  let write = (_piece: string): void => {};
  const { transport, runtime } = await transportTo((_asked, answer) => {
    write = (piece) => void answer.write(piece);
    write("a");
  });
  let ended = "open";
  const sent = transport.send(request).catch((error: Error) => (ended = error.message));
  for (let piece = 0; piece < 5; piece++) {
    await settle();
    await runtime.advance(29_999);
    write("b");
  }
  await settle();
  await runtime.advance(29_999);
  expect(ended).toBe("open");
  await runtime.advance(1);
  await sent;
  expect(ended).toBe("nothing arrived within 30000 ms");
});

test("a truncated answer is an error", async () => {
  const { transport } = await transportTo((_asked, answer) => {
    answer.writeHead(200, { "Content-Length": "10" }).write("half", () => answer.destroy());
  });
  await expect(transport.send(request)).rejects.toThrow();
});

test("a request that is cancelled before it is sent is not sent", async () => {
  let asked = 0;
  const { transport } = await transportTo((_asked, answer) => {
    asked++;
    answer.end();
  });
  const abort = new AbortController();
  const sent = transport.send({ ...request, signal: abort.signal });
  abort.abort();
  await expect(sent).rejects.toThrow("The request was cancelled.");
  await expect(transport.send({ ...request, signal: abort.signal })).rejects.toThrow("The request was cancelled.");
  expect(await transport.send(request)).toMatchObject({ status: 200 });
  expect(asked).toBe(1);
});

test("a request through a silent proxy fails, and closing the transport leaves no connection", async () => {
  const proxy = createSocketServer().listen(0, "127.0.0.1");
  await once(proxy, "listening");
  onTestFinished(() => void proxy.close());
  const runtime = createTestRuntime();
  const uri = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const transport = createHttpTransport({ url: "https://sdk.invalid", connect: () => new ProxyAgent(uri), runtime });
  const connected = once(proxy, "connection") as Promise<[Socket]>;
  const sent = transport.send(request).catch((error: Error) => error.message);
  const [socket] = await connected;
  const gone = once(socket.on("error", () => {}).resume(), "close");
  await runtime.advance(30_000);
  expect(await sent).toBe("nothing arrived within 30000 ms");
  await transport.close();
  await gone;
});
