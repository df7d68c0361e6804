/** Connections for other protocols than HTTP, over real sockets. */
import { once } from "node:events";
import type { Socket } from "node:net";
import { connect as connectTls, createServer as createTlsServer } from "node:tls";
import { serverCertificate, testAuthority } from "@procedo-testing/certificates";
import { describe, expect, onTestFinished, test } from "vitest";
import { closedPort, listen, timersByDelay } from "./listeners.fixture.ts";
import { createEgress, type Egress, type EgressOptions } from "./egress.ts";

const notAllowed = expect.objectContaining({ code: "destination_not_allowed", sent: "no" });
const local = { allowNetworks: ["127.0.0.0/8"] };

function egress(options: EgressOptions = {}): Egress {
  const created = createEgress(options);
  onTestFinished(() => created.close());
  return created;
}

const greeting = (socket: Socket): void => void socket.write("220 ready\r\n");

async function textOf(socket: Socket): Promise<string> {
  const [chunk] = (await once(socket, "data")) as [Buffer];
  return chunk.toString();
}

describe("a connection is opened to allowed addresses only", () => {
  test.each([
    ...["127.0.0.1", "127.1", "2130706433", "0x7f000001", "0177.0.0.1", "0", "①②⑦.⓪.⓪.①", "127。0。0。1", "127.0.0.1."],
    ...["localhost", "LOCALHOST.", "x.localhost", "ⓛocalhost", "::1", "[::1]", "::ffff:127.0.0.1", "[::]", "10.0.0.1"],
    ...["169.254.169.254", "fe80::1", "fd00:ec2::254", "192.168.1.1", "100.64.0.1"],
  ])("%s is refused", async (host) => {
    const sink = await listen(greeting);
    const client = egress();
    await expect(client.connect({ host, port: sink.port })).rejects.toThrow(notAllowed);
    await expect(client.check({ host })).rejects.toThrow(notAllowed);
    expect(sink.arrivals).toEqual([]);
  });

  test.each([
    ["a private address", ["127.0.0.1"]],
    ["a public and a private address", ["8.8.8.8", "127.0.0.1"]],
    ["the metadata service", ["169.254.169.254"]],
    ["a mapped loopback address", ["::ffff:127.0.0.1"]],
  ])("a name that resolves to %s is refused, with advice for the operator", async (_case, addresses) => {
    const sink = await listen(greeting);
    const client = egress({ resolve: async () => addresses });
    const refused = client.connect({ host: "mail.test", port: sink.port });
    await expect(refused).rejects.toThrow(notAllowed);
    await expect(refused).rejects.toThrow(/PROCEDO_ALLOW_NETWORKS/);
    await expect(client.check({ host: "mail.test" })).rejects.toThrow(notAllowed);
    expect(sink.arrivals).toEqual([]);
  });

  test("the address of the open socket is checked: an allowed 0.0.0.0 leads to loopback and is closed", async () => {
    const sink = await listen();
    const client = egress({ allowNetworks: ["0.0.0.0"] });
    await expect(client.connect({ host: "0.0.0.0", port: sink.port })).rejects.toThrow(notAllowed);
    expect(sink.received()).toBe("");
  });

  test("each connection is checked again", async () => {
    const sink = await listen(greeting);
    const answers = [["127.0.0.1"], ["127.0.0.2"]];
    const client = egress({ allowNetworks: ["127.0.0.1"], resolve: async () => answers.shift() ?? [] });
    const { socket } = await client.connect({ host: "mail.test", port: sink.port });
    socket.destroy();
    await expect(client.connect({ host: "mail.test", port: sink.port })).rejects.toThrow(notAllowed);
    expect(sink.arrivals).toEqual(["127.0.0.1"]);
  });

  test.each([
    "",
    " ",
    "a b",
    "a/b",
    "a?b",
    "a#b",
    "user@127.0.0.1",
    "127.0.0.1:25",
    "a\\b",
    "a\r\nb",
    "http://a",
    "\ud800",
  ])("%j is no host", async (host) => {
    const client = egress(local);
    await expect(client.connect({ host, port: 25 })).rejects.toThrow(notAllowed);
    await expect(client.check({ host })).rejects.toThrow(/is not a host/);
  });

  test.each([0, -1, 65_536, 25.5, Number.NaN])("%d is no port", async (port) => {
    const failed = egress(local).connect({ host: "127.0.0.1", port });
    await expect(failed).rejects.toThrow(expect.objectContaining({ code: "invalid_input", sent: "no" }));
  });
});

describe("an open connection", () => {
  test("carries bytes in both directions, in a network that the operator allowed", async () => {
    const server = await listen(greeting);
    const { socket, isPublic } = await egress(local).connect({ host: "127.0.0.1", port: server.port });
    expect([await textOf(socket), isPublic]).toEqual(["220 ready\r\n", false]);
    socket.end("QUIT\r\n");
    await once(socket, "close");
    expect(server.received()).toBe("QUIT\r\n");
  });

  test("becomes a TLS connection to the checked name by its options", async () => {
    const server = await listen(greeting, (secure) => createTlsServer(serverCertificate, secure));
    const upgraded = async (host: string, options: EgressOptions) => {
      const client = egress({ ...local, ...options, resolve: async () => ["127.0.0.1"] });
      const { socket, tls } = await client.connect({ host, port: server.port });
      const secure = connectTls({ socket, ...tls });
      onTestFinished(() => void secure.destroy());
      return await textOf(secure);
    };
    expect(await upgraded("api.procedo.test", { ca: testAuthority })).toBe("220 ready\r\n");
    expect(await upgraded("127.0.0.1", { ca: testAuthority })).toBe("220 ready\r\n");
    await expect(upgraded("other.procedo.test", { ca: testAuthority })).rejects.toThrow(/altnames/);
    await expect(upgraded("api.procedo.test", {})).rejects.toThrow();
  });

  test("belongs to its caller, and a closed client opens no further one", async () => {
    const server = await listen(greeting);
    const client = egress(local);
    const call = new AbortController();
    const request = { host: "127.0.0.1", port: server.port, signal: call.signal };
    const { socket } = await client.connect(request);
    call.abort();
    await client.close();
    expect([await textOf(socket), socket.destroyed]).toEqual(["220 ready\r\n", false]);
    socket.destroy();
    const refused = client.connect(request);
    await expect(refused).rejects.toThrow(expect.objectContaining({ code: "shutting_down", sent: "no" }));
  });
});

describe("a connection that is not opened was not used", () => {
  const attempt = async (request: Partial<Parameters<Egress["connect"]>[0]>, options: EgressOptions = {}) => {
    const sink = await listen(greeting);
    const client = egress({ ...local, ...options });
    const failed = await client
      .connect({ host: "127.0.0.1", port: sink.port, ...request })
      .catch((error: unknown) => error);
    expect(sink.received()).toBe("");
    return failed;
  };

  test("when nothing listens on the port", async () => {
    expect(await attempt({ port: await closedPort() })).toMatchObject({ failure: "connect", sent: "no" });
  });

  test("when the name is not resolved in time", async () => {
    const { clock, fire } = timersByDelay();
    const resolve = () => new Promise<readonly string[]>(() => setImmediate(() => fire(10_000)));
    expect(await attempt({ host: "slow.test" }, { clock, resolve })).toMatchObject({ failure: "timeout", sent: "no" });
  });

  test("when its signal aborts meanwhile, or has aborted before", async () => {
    const call = new AbortController();
    const resolve = () => new Promise<readonly string[]>(() => setImmediate(() => call.abort()));
    const request = { host: "slow.test", signal: call.signal };
    expect(await attempt(request, { resolve })).toMatchObject({ failure: "aborted", sent: "no" });
    expect(await attempt({ signal: AbortSignal.abort() })).toMatchObject({ failure: "aborted", sent: "no" });
  });

  test("when it is withheld", async () => {
    const beforeSend = () => "The worker was stopped.";
    expect(await attempt({ beforeSend })).toMatchObject({
      ...{ failure: "withheld", sent: "no" },
      message: expect.stringMatching(
        /^Nothing was sent to "127\.0\.0\.1" port \d+: The worker was stopped\.$/,
      ) as string,
    });
  });
});

test("an open connection is withheld from further use once its caller may not act any more", async () => {
  const server = await listen(greeting);
  const lease: { lost?: string } = {};
  const request = { host: "127.0.0.1", port: server.port, beforeSend: () => lease.lost };
  const connection = await egress(local).connect(request);
  expect(() => connection.beforeSend()).not.toThrow();
  lease.lost = "The lease ended.";
  expect(() => connection.beforeSend()).toThrow(expect.objectContaining({ failure: "withheld", sent: "no" }));
});
