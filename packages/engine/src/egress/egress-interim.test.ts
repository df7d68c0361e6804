/** Interim answers (RFC 9110, 15.2) over real sockets: the final answer is read after any interim answers. */
import { createServer as createTlsServer } from "node:tls";
import type { Socket } from "node:net";
import { serverCertificate, testAuthority } from "@procedo-testing/certificates";
import { describe, expect, onTestFinished, test } from "vitest";
import { guardedFetch } from "./guarded-fetch.ts";
import { http, listen, type Listener } from "./listeners.fixture.ts";
import { createEgress, type Egress } from "./egress.ts";

const final = http("201 Created", ["content-type: text/plain"], "paid");
const continued = "HTTP/1.1 100 Continue\r\n\r\n";
const processing = "HTTP/1.1 102 Processing\r\n\r\n";
const hints = "HTTP/1.1 103 Early Hints\r\nlink: </a.css>; rel=preload\r\nx-200: HTTP/1.1 200 OK\r\n\r\n";

function egress(): Egress {
  const created = createEgress({ allowNetworks: ["127.0.0.1"], ca: testAuthority });
  onTestFinished(() => created.close());
  return created;
}

/** Writes these packets for each request, each in a separate turn of the event loop. */
const inPackets =
  (packets: readonly string[]) =>
  (socket: Socket): void =>
    void socket.on("data", () => {
      const write = (index: number): void => {
        const packet = packets[index];
        if (packet === undefined || socket.destroyed) return;
        socket.write(packet, "latin1", () => setImmediate(() => write(index + 1)));
      };
      write(0);
    });

const overTls = (onSocket: (socket: Socket) => void): Promise<Listener> =>
  listen(onSocket, (accept) => createTlsServer(serverCertificate, accept));

const ways = [
  ["100", [continued + final]],
  ["100 in a packet of its own", [continued, final]],
  ["102", [processing, final]],
  ["103 with headers", [hints, final]],
  ["several", [continued, processing + hints, hints + continued + final]],
  ["one without a reason", ["HTTP/1.1 100 \r\n\r\n", final]],
  ["one without a reason and its space", ["HTTP/1.1 100\r\n\r\n", final]],
  ["one with a folded line", ["HTTP/1.1 103 Early Hints\r\nlink: </a>;\r\n rel=x\r\n \r\n\r\n", final]],
  ["an unknown one", ["HTTP/1.1 199 Later\r\nx: y\r\n\r\n", final]],
  ["one that says the connection is closed", ["HTTP/1.1 103 Early Hints\r\nconnection: close\r\n\r\n", final]],
  ["one of HTTP/1.0", ["HTTP/1.0 100 Continue\r\n\r\n", final]],
  ["byte by byte", [...(continued + hints + continued + final)]],
  ["a final one that is split behind its first digit", [`${continued}HTTP/1.1 2`, final.slice("HTTP/1.1 2".length)]],
] as const;

describe.each(["reuse", "fresh"] as const)("with a %s connection, the final answer is read after", (connection) => {
  test.each(ways)("%s", async (_name, packets) => {
    const server = await listen(inPackets(packets));
    const client = egress();
    const request = { url: `http://127.0.0.1:${server.port}/pay`, method: "POST", body: "{}", connection };
    for (let nth = 0; nth < 3; nth++) {
      const { status, body, headers } = await client.fetch(request);
      expect([status, Buffer.from(body).toString(), headers.get("link")]).toEqual([201, "paid", null]);
    }
    // undici may open a second connection before the first one is free again.
    expect(server.arrivals.length).toBeLessThanOrEqual(connection === "reuse" ? 2 : 3);
  });

  test.each(ways)("%s, over TLS", async (_name, packets) => {
    const server = await overTls(inPackets(packets));
    const request = { url: `https://127.0.0.1:${server.port}/pay`, method: "POST", body: "{}", connection };
    const { status, body } = await egress().fetch(request);
    expect([status, Buffer.from(body).toString()]).toEqual([201, "paid"]);
  });
});

test("returns a body that looks like interim answers unchanged", async () => {
  const text = `${continued}${hints}${final}`;
  const server = await listen(inPackets([continued, http("200 OK", [], text)]));
  const client = egress();
  for (let nth = 0; nth < 2; nth++) {
    const { body } = await client.fetch({ url: `http://127.0.0.1:${server.port}/` });
    expect(Buffer.from(body).toString()).toBe(text);
  }
});

test("a web fetch of an integration receives the final answer", async () => {
  const server = await listen(inPackets([continued, hints, final]));
  const fetch = guardedFetch(egress(), { timeoutMs: 30_000, maxResponseBytes: 100 });
  const answer = await fetch(`http://127.0.0.1:${server.port}/`, { method: "POST", body: "x" });
  expect([answer.status, await answer.text()]).toEqual([201, "paid"]);
});

describe("fails after a request that may have had an effect:", () => {
  const failing = (failure: string, message: RegExp) =>
    expect.objectContaining({ failure, sent: "maybe", message: expect.stringMatching(message) as string });

  test.each([
    ["interim answers without an end", continued, /more than 100 interim answers/],
    ["an interim answer with endless headers", `HTTP/1.1 103 Early Hints\r\n${"x: y\r\n".repeat(1_000)}`, /64 KiB/],
    ["large interim answers", `HTTP/1.1 103 Early Hints\r\nx: ${"y".repeat(20_000)}\r\n\r\n`, /64 KiB/],
  ])("%s", async (_name, packet, message) => {
    let written = 0;
    const server = await listen((socket) =>
      socket.on("data", () => {
        const write = (): void => {
          if (!socket.destroyed)
            socket.write(written++ === 0 ? packet : packet.replace(/^HTTP.*\n(?=x: y\r\nx)/, ""), write);
        };
        write();
      }),
    );
    const failed = egress().fetch({ url: `http://127.0.0.1:${server.port}/`, method: "POST", body: "x" });
    await expect(failed).rejects.toThrow(failing("response", message));
  });

  test.each([
    ["LF LF", "HTTP/1.1 100 Continue\n\n"],
    ["CR LF LF", "HTTP/1.1 100 Continue\r\n\n"],
    ["LF", "HTTP/1.1 103 Early Hints\r\nlink: </a>\nx: y\r\n\r\n"],
    ["CR", "HTTP/1.1 103 Early Hints\r\nlink: </a>\rx: y\r\n\r\n"],
    ["CR CR LF", "HTTP/1.1 103 Early Hints\r\r\n\r\n"],
  ])(
    "an interim answer with a line that ends with %s, and no body that is read as an answer",
    async (_name, interim) => {
      for (const packets of [[interim + http("200 OK", [], final)], [...interim, http("200 OK", [], final)]]) {
        const server = await listen(inPackets(packets));
        const failed = egress().fetch({ url: `http://127.0.0.1:${server.port}/`, method: "POST", body: "x" });
        await expect(failed).rejects.toThrow(
          failing("response", /line of an interim answer .* does not end with CR LF/),
        );
      }
    },
  );

  test("a connection that ends after an interim answer", async () => {
    for (const packet of [continued, "HTTP/1.1 1", "HTTP/1.1 103 Early Hints\r\nx: y"]) {
      const server = await listen((socket) => socket.once("data", () => socket.end(packet)));
      const failed = egress().fetch({ url: `http://127.0.0.1:${server.port}/`, method: "POST", body: "x" });
      await expect(failed).rejects.toThrow(failing("connection_lost", /lost before the answer was whole/));
    }
  });

  test("an upgrade that was not asked for", async () => {
    const upgrade = "HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n";
    const server = await listen(inPackets([continued, upgrade + final]));
    const failed = egress().fetch({ url: `http://127.0.0.1:${server.port}/`, method: "POST", body: "x" });
    await expect(failed).rejects.toThrow(failing("connection_lost", /./));
  });

  test("an interim answer with a body", async () => {
    const server = await listen(inPackets(["HTTP/1.1 103 Early Hints\r\ncontent-length: 4\r\n\r\nbody", final]));
    const failed = egress().fetch({ url: `http://127.0.0.1:${server.port}/`, method: "POST", body: "x" });
    await expect(failed).rejects.toThrow(failing("response", /not valid HTTP/));
  });
});
