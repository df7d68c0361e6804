/**
 * Redirects over real sockets: the allowed destinations of the next hop, and the headers and body that it may carry.
 */
import { createServer as createTlsServer } from "node:tls";
import { serverCertificate, testAuthority } from "@procedo-testing/certificates";
import { describe, expect, onTestFinished, test } from "vitest";
import { answering, http, listen } from "./listeners.fixture.ts";
import { createEgress, type Egress, type EgressOptions } from "./egress.ts";

const ok = answering(http("200 OK", ["content-type: text/plain"], "hello"));
const notAllowed = expect.objectContaining({ code: "destination_not_allowed" });

function egress(options: EgressOptions = {}): Egress {
  const created = createEgress(options);
  onTestFinished(() => created.close());
  return created;
}

describe("redirects", () => {
  test.each([301, 302, 303, 307, 308])("a %d is returned as the answer", async (status) => {
    const sink = await listen(ok);
    const from = await listen(answering(http(`${status} X`, [`location: http://127.0.0.1:${sink.port}/`])));
    const client = egress({ allowNetworks: ["127.0.0.1"] });
    expect((await client.fetch({ url: `http://127.0.0.1:${from.port}/` })).status).toBe(status);
    expect(sink.arrivals).toEqual([]);
  });

  test.each([
    "http://127.0.0.2:PORT/",
    "http://2130706434:PORT/",
    "http://[::1]:PORT/",
    "http://[::ffff:127.0.0.2]:PORT/",
    "http://169.254.169.254/latest/",
    "http://10.0.0.1:PORT/",
    "http://[fd00:ec2::254]/",
    "http://private.test:PORT/",
    "http://u:p@127.0.0.1:PORT/",
    "http://127.0.0.1:6379/",
    "file:///etc/passwd",
    "data:text/plain,x",
    "http://[",
  ])("to %s is not followed", async (location) => {
    const sink = await listen(ok);
    const target = location.replace("PORT", String(sink.port));
    for (const status of [301, 302, 303, 307, 308]) {
      const from = await listen(answering(http(`${status} X`, [`location: ${target}`])));
      const client = egress({ allowNetworks: ["127.0.0.1"], resolve: async () => ["127.0.0.2"] });
      const refused = client.fetch({ url: `http://127.0.0.1:${from.port}/`, redirects: 5 });
      await expect(refused).rejects.toThrow(notAllowed);
      // The first hop was sent, so the request may have had an effect.
      await expect(refused).rejects.toMatchObject({ sent: "maybe" });
    }
    expect(sink.arrivals).toEqual([]);
  });

  test("to an allowed address are followed up to the maximum number", async () => {
    const hops = await listen(
      answering((head) => http("302 Found", [`location: /${Number(/ \/(\d+)/.exec(head)?.[1] ?? 0) + 1}`])),
    );
    const client = egress({ allowNetworks: ["127.0.0.1"] });
    const answer = await client.fetch({ url: `http://127.0.0.1:${hops.port}/0`, redirects: 20 });
    expect([answer.status, new URL(answer.url).pathname]).toEqual([302, "/20"]);
    expect(hops.received().match(/GET /g)).toHaveLength(21);
  });

  test("to another origin carry no credentials, in any header", async () => {
    const sink = await listen(ok);
    const from = await listen(answering(http("302 Found", [`location: http://localhost:${sink.port}/x`])));
    const client = egress({ allowNetworks: ["127.0.0.1"] });
    const headers = { authorization: "Bearer canary", cookie: "s=canary", "x-api-key": "canary", accept: "text/csv" };
    await client.fetch({ url: `http://127.0.0.1:${from.port}/`, headers, redirects: 1 });
    expect(from.received()).toContain("x-api-key: canary");
    expect(sink.received()).toContain("accept: text/csv");
    expect(sink.received()).not.toContain("canary");
  });

  test("to another origin never carry a body", async () => {
    const sink = await listen(ok);
    const from = await listen(answering(http("307 X", [`location: http://localhost:${sink.port}/`])));
    const client = egress({ allowNetworks: ["127.0.0.1"] });
    const request = {
      url: `http://127.0.0.1:${from.port}/`,
      method: "POST",
      body: "client_secret=canary",
      redirects: 1,
    };
    await expect(client.fetch(request)).rejects.toThrow(notAllowed);
    expect(sink.arrivals).toEqual([]);
  });

  test("from https to http are not followed", async () => {
    const sink = await listen(ok);
    const accept = answering(http("302 Found", [`location: http://127.0.0.1:${sink.port}/`]));
    const from = await listen(accept, (secure) => createTlsServer(serverCertificate, secure));
    const client = egress({ allowNetworks: ["127.0.0.1"], ca: testAuthority });
    const refused = client.fetch({ url: `https://127.0.0.1:${from.port}/`, redirects: 1 });
    await expect(refused).rejects.toThrow(expect.objectContaining({ code: "destination_not_allowed", sent: "maybe" }));
    expect(sink.arrivals).toEqual([]);
  });
});
