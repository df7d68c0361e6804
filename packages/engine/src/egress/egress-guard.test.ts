/** The guard over real sockets. A listener on every address of this machine records any connection. */
import { createServer as createTlsServer } from "node:tls";
import { expiredCertificate, serverCertificate, testAuthority } from "@procedo-testing/certificates";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { answering, http, listen } from "./listeners.fixture.ts";
import { createEgress, type Egress, type EgressOptions } from "./egress.ts";

const ok = answering(http("200 OK", ["content-type: text/plain"], "hello"));
const notAllowedNorSent = expect.objectContaining({ code: "destination_not_allowed", sent: "no" });

function egress(options: EgressOptions = {}): Egress {
  const created = createEgress(options);
  onTestFinished(() => created.close());
  return created;
}

/** Answers the lookups of a name in turn, and repeats the last answer. */
function resolver(answers: Readonly<Record<string, readonly (readonly string[])[]>>) {
  const asked: string[] = [];
  return {
    asked,
    resolve: async (name: string) => {
      const nth = asked.push(name) - 1 - asked.slice(0, -1).filter((one) => one !== name).length;
      const known = answers[name];
      if (known === undefined) throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: "ENOTFOUND" });
      return known[Math.min(nth, known.length - 1)] ?? [];
    },
  };
}

describe("no connection is opened to a private destination", () => {
  test.each([
    "http://127.0.0.1:PORT/",
    "http://127.1:PORT/",
    "http://2130706433:PORT/",
    "http://0x7f000001:PORT/",
    "http://0177.0.0.1:PORT/",
    "http://0:PORT/",
    "http://0.0.0.0:PORT/",
    "http://①②⑦.⓪.⓪.①:PORT/",
    "http://127。0。0。1:PORT/",
    "http://127.0.0.1.:PORT/",
    "http://127.255.255.254:PORT/",
    "http://localhost:PORT/",
    "http://localhost.:PORT/",
    "http://ⓛocalhost:PORT/",
    "http://x.localhost:PORT/",
    "http://a@127.0.0.1:PORT/",
    "http:127.0.0.1:PORT/",
    "http:\\\\127.0.0.1:PORT/",
    "http://[::1]:PORT/",
    "http://[::]:PORT/",
    "http://[::ffff:127.0.0.1]:PORT/",
    "http://[::127.0.0.1]:PORT/",
    "https://127.0.0.1:PORT/",
  ])("%s", async (url) => {
    const sink = await listen(ok);
    const client = egress();
    const written = url.replace("PORT", String(sink.port));
    for (const connection of ["reuse", "fresh"] as const) {
      await expect(client.fetch({ url: written, connection })).rejects.toThrow(notAllowedNorSent);
    }
    await expect(client.check(written)).rejects.toThrow(notAllowedNorSent);
    expect(sink.arrivals).toEqual([]);
  });
});

describe("a name is allowed only if all of its addresses are", () => {
  test.each([
    ["a private A record", ["127.0.0.1"]],
    ["a public and a private A record", ["8.8.8.8", "127.0.0.1"]],
    ["a private and a public A record", ["127.0.0.1", "8.8.8.8"]],
    ["a private AAAA record only", ["::1"]],
    ["a public A and a private AAAA record", ["8.8.8.8", "::1"]],
    ["the metadata service", ["169.254.169.254"]],
    ["an IPv4-mapped loopback", ["::ffff:127.0.0.1"]],
    ["a 6to4 loopback", ["2002:7f00:1::"]],
    ["a NAT64 loopback", ["64:ff9b::7f00:1"]],
    ["an address with a zone", ["fe80::1%lo"]],
    ["the unspecified address", ["0.0.0.0"]],
    ["something that is not an address", ["localhost"]],
  ])("%s is refused with a message that does not contain the addresses", async (_case, addresses) => {
    const sink = await listen(ok);
    const client = egress({ resolve: resolver({ "api.test": [addresses] }).resolve });
    const url = `http://api.test:${sink.port}/`;
    const refused = client.fetch({ url });
    await expect(refused).rejects.toThrow(notAllowedNorSent);
    await expect(refused).rejects.toThrow(/PROCEDO_ALLOW_NETWORKS/);
    await expect(refused).rejects.not.toThrow(/\d+\.\d+\.\d+|::/);
    await expect(client.check(url)).rejects.toThrow(notAllowedNorSent);
    expect(sink.arrivals).toEqual([]);
  });

  test("a name that does not resolve fails closed", async () => {
    const client = egress({ resolve: resolver({}).resolve });
    const failed = expect.objectContaining({ code: "upstream_unreachable", failure: "dns", sent: "no" });
    await expect(client.fetch({ url: "http://nowhere.test/" })).rejects.toThrow(failed);
    await expect(client.check("http://nowhere.test/")).rejects.toThrow(failed);
    const empty = egress({ resolve: resolver({ "nowhere.test": [[]] }).resolve });
    await expect(empty.fetch({ url: "http://nowhere.test/" })).rejects.toThrow(failed);
  });
});

describe("rebinding", () => {
  const options = (answers: readonly (readonly string[])[]) => {
    const names = resolver({ "api.test": answers });
    return { names, client: egress({ resolve: names.resolve, allowNetworks: ["127.0.0.1"] }) };
  };

  test("connects to the checked address, since the name is resolved only once per connection", async () => {
    const sink = await listen(ok);
    const { names, client } = options([["127.0.0.1"], ["127.0.0.2"]]);
    await client.fetch({ url: `http://api.test:${sink.port}/` });
    expect(names.asked).toEqual(["api.test"]);
    expect(sink.arrivals).toEqual(["127.0.0.1"]);
  });

  test("a name that passed the check when it was saved is checked again when it is used", async () => {
    const sink = await listen(ok);
    const { client } = options([["127.0.0.1"], ["127.0.0.2"]]);
    await client.check(`http://api.test:${sink.port}/`);
    await expect(client.fetch({ url: `http://api.test:${sink.port}/` })).rejects.toThrow(notAllowedNorSent);
    expect(sink.arrivals).toEqual([]);
  });

  test("each new connection is checked again", async () => {
    const sink = await listen(ok);
    const { client } = options([["127.0.0.1"], ["127.0.0.2"]]);
    const request = { url: `http://api.test:${sink.port}/`, connection: "fresh" } as const;
    expect((await client.fetch(request)).status).toBe(200);
    await expect(client.fetch(request)).rejects.toThrow(notAllowedNorSent);
    expect(sink.arrivals).toEqual(["127.0.0.1"]);
  });

  test("a kept connection is reused for its own origin only", async () => {
    const sink = await listen(ok);
    const names = resolver({ "a.test": [["127.0.0.1"]], "b.test": [["127.0.0.2"]] });
    const client = egress({ resolve: names.resolve, allowNetworks: ["127.0.0.1"] });
    await client.fetch({ url: `http://a.test:${sink.port}/` });
    await new Promise((resolve) => setImmediate(resolve));
    await client.fetch({ url: `http://a.test:${sink.port}/again` });
    await expect(client.fetch({ url: `http://b.test:${sink.port}/` })).rejects.toThrow(notAllowedNorSent);
    expect(sink.arrivals).toEqual(["127.0.0.1"]);
  });
});

test("checks the address of the open socket: an allowed 0.0.0.0 leads to loopback and is closed before a byte is sent", async () => {
  const server = await listen(ok);
  const client = egress({ allowNetworks: ["0.0.0.0"] });
  await expect(client.fetch({ url: `http://0.0.0.0:${server.port}/` })).rejects.toThrow(notAllowedNorSent);
  expect(server.received()).toBe("");
});

describe("networks that the operator allows", () => {
  test.each([
    "http://127.0.0.1:PORT/",
    "http://localhost:PORT/",
    "http://api.localhost:PORT/",
    "http://api.test:PORT/",
  ])("%s answers with its network allowed", async (url) => {
    const sink = await listen(ok);
    const client = egress({ allowNetworks: ["127.0.0.0/8"], resolve: async () => ["127.0.0.1"] });
    const written = url.replace("PORT", String(sink.port));
    const answer = await client.fetch({ url: written });
    expect([answer.status, Buffer.from(answer.body).toString()]).toEqual([200, "hello"]);
    await expect(client.check(written)).resolves.toBeUndefined();
  });

  test("a public literal and a public name pass the check", async () => {
    const client = egress({ resolve: async () => ["93.184.215.14", "2606:4700:4700::1111"] });
    await expect(client.check("https://8.8.8.8/")).resolves.toBeUndefined();
    await expect(client.check("https://example.com/")).resolves.toBeUndefined();
  });
});

describe("TLS", () => {
  const secureListen = (certificate: { key: string; cert: string }) =>
    listen(ok, (secure) => createTlsServer(certificate, secure));
  const names = async () => ["127.0.0.1"];

  test.each(["https://api.procedo.test:PORT/", "https://127.0.0.1:PORT/"])(
    "%s: the certificate is checked for the host of the URL",
    async (url) => {
      const server = await secureListen(serverCertificate);
      const client = egress({ allowNetworks: ["127.0.0.0/8"], resolve: names, ca: testAuthority });
      const answer = await client.fetch({ url: url.replace("PORT", String(server.port)) });
      expect(answer.status).toBe(200);
    },
  );

  test.each([
    ["another name", "https://other.procedo.test:PORT/", serverCertificate, testAuthority],
    ["another address", "https://127.0.0.2:PORT/", serverCertificate, testAuthority],
    ["an unknown authority", "https://api.procedo.test:PORT/", serverCertificate, undefined],
    ["an expired certificate", "https://api.procedo.test:PORT/", expiredCertificate, testAuthority],
  ])("%s is refused before a byte of the request leaves", async (_case, url, certificate, ca) => {
    const server = await secureListen(certificate);
    const client = egress({ allowNetworks: ["127.0.0.0/8"], resolve: names, ...(ca === undefined ? {} : { ca }) });
    const failed = client.fetch({ url: url.replace("PORT", String(server.port)) });
    await expect(failed).rejects.toThrow(expect.objectContaining({ failure: "tls", sent: "no" }));
    expect(server.received()).toBe("");
  });
});

describe("the environment cannot loosen the guard", () => {
  const names = [
    "HTTP_PROXY",
    "http_proxy",
    "HTTPS_PROXY",
    "ALL_PROXY",
    "NODE_USE_ENV_PROXY",
    "NODE_TLS_REJECT_UNAUTHORIZED",
  ];
  const before = new Map<string, string | undefined>();
  beforeEach(() => names.forEach((name) => before.set(name, process.env[name])));
  afterEach(() =>
    names.forEach((name) => {
      const value = before.get(name);
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }),
  );

  test("proxy variables are not read", async () => {
    const proxy = await listen(ok);
    const target = await listen(ok);
    for (const name of names.slice(0, 4)) process.env[name] = `http://127.0.0.1:${proxy.port}`;
    process.env["NODE_USE_ENV_PROXY"] = "1";
    const client = egress({ allowNetworks: ["127.0.0.1"] });
    expect((await client.fetch({ url: `http://127.0.0.1:${target.port}/` })).status).toBe(200);
    await expect(client.fetch({ url: "http://10.0.0.1/" })).rejects.toThrow(notAllowedNorSent);
    expect(proxy.arrivals).toEqual([]);
  });

  test("NODE_TLS_REJECT_UNAUTHORIZED does not switch the check off", async () => {
    process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = "0";
    const server = await listen(ok, (secure) => createTlsServer(serverCertificate, secure));
    const client = egress({ allowNetworks: ["127.0.0.1"] });
    const failed = client.fetch({ url: `https://127.0.0.1:${server.port}/` });
    await expect(failed).rejects.toThrow(expect.objectContaining({ failure: "tls", sent: "no" }));
  });
});
