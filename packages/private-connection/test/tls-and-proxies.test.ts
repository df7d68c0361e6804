import dns from "node:dns";
import { rootCertificates } from "node:tls";
import { expiredCertificate, serverCertificate, testAuthority } from "@procedo-testing/certificates";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { type ConnectProxy, startConnectProxy } from "./connect-proxy.ts";
import type { FakeService } from "./fake-service.ts";
import { connect, echo, functionOf, nextEvent, startService } from "./setup.ts";
import { createTestRuntime } from "./test-runtime.ts";

async function startTls(certificate = serverCertificate): Promise<FakeService> {
  return await startService({ runtime: createTestRuntime(), tls: certificate });
}

/** The service under its name, which no name server resolves. */
const named = ({ url }: FakeService): string => url.replace("127.0.0.1", "api.procedo.test");

async function startProxy(): Promise<ConnectProxy> {
  const proxy = await startConnectProxy();
  onTestFinished(() => proxy[Symbol.asyncDispose]());
  return proxy;
}

describe("over TLS", () => {
  test("calls are answered, including acknowledged ones, with the certificate authority given", async () => {
    const service = await startTls();
    const { connection } = connect(service, [echo, functionOf("pay", () => "paid")], createTestRuntime(), {
      ca: testAuthority,
    });
    await nextEvent(connection, "connected");
    expect(await service.call("echo", { value: 1 }).settled).toEqual({ status: "ok", output: 1 });
    expect(await service.call("pay").settled).toEqual({ status: "ok", output: "paid" });
  });

  test("connections are kept alive: twenty consecutive calls need only those of the poll and the results", async () => {
    const service = await startTls();
    const { connection } = connect(service, [echo], createTestRuntime(), { ca: [testAuthority] });
    await nextEvent(connection, "connected");
    for (let n = 0; n < 20; n++) await service.call("echo", { value: n }).settled;
    expect(service.openConnections).toBeLessThanOrEqual(4);
  });

  test.each([
    [
      "an untrusted authority",
      serverCertificate,
      { ca: rootCertificates },
      /authority is not trusted\. If it is your company's, set `ca`/,
    ],
    ["an expired certificate", expiredCertificate, { ca: testAuthority }, /The certificate has expired/],
  ])("%s keeps the client away, and it says why", async (_name, certificate, options, reason) => {
    const service = await startTls(certificate);
    const { connection } = connect(service, [echo], createTestRuntime(), options);
    expect((await nextEvent(connection, "reconnecting")).error.message).toMatch(reason);
    expect(service.received).toEqual([]);
  });

  test("a renewed certificate is accepted without a restart", async () => {
    const runtime = createTestRuntime();
    const expired = await startTls(expiredCertificate);
    const port = Number(new URL(expired.url).port);
    const { connection } = connect(expired, [echo], runtime, { ca: testAuthority });
    await nextEvent(connection, "reconnecting");
    await expired[Symbol.asyncDispose]();
    await startService({ runtime: createTestRuntime(), tls: serverCertificate, port });
    const again = nextEvent(connection, "connected");
    await runtime.advance(1_000);
    await again;
  });
});

test("a name that resolves to another address is looked up again", async () => {
  const service = await startTls();
  const runtime = createTestRuntime();
  const addresses = ["127.0.0.2", "127.0.0.1"];
  type Found = (error: Error | null, address: { address: string; family: number }[]) => void;
  const lookup = vi
    .spyOn(dns, "lookup")
    .mockImplementation(((_name: string, _options: unknown, found: Found) =>
      found(null, [{ address: addresses.shift() ?? "127.0.0.1", family: 4 }])) as never);
  onTestFinished(() => lookup.mockRestore());
  const { connection } = connect(service, [echo], runtime, { url: named(service), ca: testAuthority });
  await nextEvent(connection, "reconnecting");
  const again = nextEvent(connection, "connected");
  await runtime.advance(1_000);
  await again;
  expect(await service.call("echo", { value: 1 }).settled).toMatchObject({ status: "ok" });
});

describe("through a proxy", () => {
  test("from the option, all requests use a tunnel that the proxy cannot read", async () => {
    const [service, proxy] = [await startTls(), await startProxy()];
    const options = { url: named(service), proxy: proxy.url, ca: testAuthority };
    const { connection } = connect(service, [echo], createTestRuntime(), options);
    await nextEvent(connection, "connected");
    expect(await service.call("echo", { value: 1 }).settled).toEqual({ status: "ok", output: 1 });
    expect(new Set(proxy.tunnels)).toEqual(new Set([new URL(named(service)).host]));
    expect(proxy.seen.join("")).not.toContain(service.token);
  });

  test("that sends interim answers before it opens the tunnel, all requests succeed", async () => {
    const [service, proxy] = [await startTls(), await startProxy()];
    proxy.interim = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nx: y\r\n\r\n";
    const options = { url: named(service), proxy: proxy.url, ca: testAuthority };
    const { connection } = connect(service, [echo], createTestRuntime(), options);
    await nextEvent(connection, "connected");
    expect(await service.call("echo", { value: 1 }).settled).toEqual({ status: "ok", output: 1 });
  });

  test("that requires credentials, those of its address are sent, and appear in no message", async () => {
    const [service, proxy] = [await startTls(), await startProxy()];
    proxy.credentials = "client:s3cret-word";
    const runtime = createTestRuntime();
    const url = named(service);
    const wrong = { url, proxy: proxy.url.replace("//", "//client:wr0ng-word@"), ca: testAuthority };
    const refused = connect(service, [echo], runtime, wrong);
    const { error } = await nextEvent(refused.connection, "reconnecting");
    expect(error.message).toContain("407");
    expect(`${error.message} ${refused.log.lines.join("\n")}`).not.toContain("wr0ng-word");
    const right = { url, proxy: proxy.url.replace("//", "//client:s3cret-word@"), ca: testAuthority };
    const { connection } = connect(service, [echo], runtime, right);
    await nextEvent(connection, "connected");
  });

  test.each(["HTTPS_PROXY", "https_proxy", "HTTP_PROXY"])("from %s", async (variable) => {
    const [service, proxy] = [await startTls(), await startProxy()];
    for (const name of ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"]) vi.stubEnv(name, undefined);
    vi.stubEnv(variable, proxy.url);
    onTestFinished(() => void vi.unstubAllEnvs());
    const { token } = service;
    const settings = { url: named(service), token, ca: testAuthority, proxy: undefined };
    const { connection } = connect(service, [echo], createTestRuntime(), settings as object);
    await nextEvent(connection, "connected");
    expect(proxy.tunnels.length).toBeGreaterThan(0);
  });

  test.each([
    ["NO_PROXY names the address", { NO_PROXY: ".procedo.test" }, {}],
    ["the option says none", {}, { proxy: false }],
  ] as const)("no request is sent if %s", async (_name, variables, options) => {
    const [service, proxy] = [await startTls(), await startProxy()];
    for (const [name, value] of Object.entries({ HTTPS_PROXY: proxy.url, ...variables })) vi.stubEnv(name, value);
    onTestFinished(() => void vi.unstubAllEnvs());
    const settings = { url: named(service), ca: testAuthority, proxy: undefined, ...options };
    const { connection } = connect(service, [echo], createTestRuntime(), settings as object);
    await nextEvent(connection, "reconnecting");
    expect(proxy.tunnels).toEqual([]);
  });

  test("no request to this machine is sent, because its token would travel in plain text", async () => {
    const service = await startService({ runtime: createTestRuntime() });
    const proxy = await startProxy();
    const { connection } = connect(service, [echo], createTestRuntime(), { proxy: proxy.url });
    await nextEvent(connection, "connected");
    expect(proxy.tunnels).toEqual([]);
  });
});
