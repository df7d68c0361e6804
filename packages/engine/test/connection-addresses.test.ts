import { describe, expect, test } from "vitest";
import { answering, http, listen } from "../src/egress/listeners.fixture.ts";
import { alice } from "./harness.ts";
import { calling, createConnectionHarness, payments, token } from "./connection-harness.ts";
import { documentText } from "./listed-api.ts";

const sandbox = { environment: "sandbox" } as const;
const refused = { code: "destination_not_allowed", status: 422 };
const publicServer = "https://93.184.216.34";

/** Group S: the addresses that no tenant may reach. */
const addresses = [
  ...["http://127.0.0.1/x", "http://127.1/", "http://2130706433/", "http://0x7f000001/", "http://0177.0.0.1/"],
  ...["http://0/", "http://0.0.0.0/", "http://①②⑦.⓪.⓪.①/", "http://127。0。0。1/", "http://127.0.0.1./"],
  ...["http://localhost/", "http://localhost./", "http://ⓛocalhost/", "http://a.localhost/", "http://a@127.0.0.1/"],
  ...["http:127.0.0.1", "https:\\\\127.0.0.1", "http://10.0.0.1/", "http://172.16.0.1/", "http://192.168.1.1/"],
  ...["http://169.254.169.254/latest", "http://100.64.0.1/", "http://192.0.0.1/", "http://192.0.2.1/"],
  ...["http://198.18.0.1/", "http://198.51.100.1/", "http://203.0.113.1/", "http://192.88.99.1/", "http://224.0.0.1/"],
  ...["http://240.0.0.1/", "http://255.255.255.255/", "http://[::]/", "http://[::1]/x", "http://[::ffff:127.0.0.1]/"],
  ...["http://[::ffff:a9fe:a9fe]/", "http://[::7f00:1]/", "http://[fe80::1]/", "http://[fd00:ec2::254]/"],
  ...[
    "http://[ff02::1]/",
    "http://[2001:db8::1]/",
    "http://[3fff::1]/",
    "http://[100::1]/",
    "http://[64:ff9b::7f00:1]/",
  ],
  ...["http://[64:ff9b:1::1]/", "http://[2002:7f00:1::]/", "http://[5f00::1]/", "file:///etc/passwd"],
  ...["ftp://93.184.216.34/", "gopher://93.184.216.34/", "data:,x", "unix:/run/x.sock"],
  ...["http://93.184.216.34:22/", "http://93.184.216.34:25/", "http://93.184.216.34:6379/"],
  ...["http://93.184.216.34:5432/", "http://user:secret@93.184.216.34/", "http://93.184.216.34/\r\nx-a: b"],
  ...["http://93.184.216.34/x\ud800"],
];

/** A name that first resolves to a public address and then to the one that the test sets. */
function rebinding() {
  let leadsTo: readonly string[] = ["93.184.216.34"];
  return {
    resolve: async () => leadsTo,
    leadTo: (...to: readonly string[]) => {
      leadsTo = to;
    },
  };
}

describe("a forbidden address", () => {
  test.each(addresses)("is neither fetched nor saved, in any setting: %j", async (url) => {
    const harness = await createConnectionHarness({ egress: {} });
    const { connections } = harness.engine;
    const spec = { text: documentText({ server: publicServer, actions: payments }) };
    const { connectionId } = await harness.connect({ settings: { spec } });
    const place = { ...sandbox, connectionId, by: alice };
    const fetched = { spec: { url } };
    const served = { spec: { text: documentText({ server: url, actions: payments }) } };
    const called = { spec, baseUrl: url };
    for (const settings of [fetched, served, called]) {
      await expect(harness.connect({ name: "other", settings })).rejects.toMatchObject(refused);
    }
    const preview = { integration: "listed", ...sandbox, by: alice };
    await expect(connections.preview({ ...preview, settings: fetched })).rejects.toMatchObject(refused);
    for (const settings of [fetched, { baseUrl: url }]) {
      await expect(connections.update({ ...place, settings })).rejects.toMatchObject(refused);
    }
    expect((await connections.list({ ...sandbox, limit: 10 })).items).toHaveLength(1);
    expect((await connections.get(place)).settings).toMatchObject({ baseUrl: publicServer });
  });

  test.each([
    ["a loopback address", ["127.0.0.1"]],
    ["a public and a loopback address", ["93.184.216.34", "127.0.0.1"]],
    ["the metadata service", ["169.254.169.254"]],
    ["a mapped loopback address", ["::ffff:127.0.0.1"]],
    ["the loopback address of IPv6", ["::1"]],
  ])("is not connected to if the name resolves to %s at the time of the call, test or fetch", async (_what, to) => {
    const name = rebinding();
    const harness = await createConnectionHarness({ egress: { resolve: name.resolve } });
    const inside = await listen(answering(http("200 OK", [])));
    const server = `http://api.procedo.test:${inside.port}`;
    const settings = { spec: { text: documentText({ server, actions: payments }) } };
    const { connectionId } = await harness.connect({ settings });
    name.leadTo(...to);
    await harness.publish(calling());
    const runId = await harness.run();
    await harness.settled(runId);
    const run = await harness.read(runId);
    expect(run).toMatchObject({
      status: "failed",
      error: expect.stringMatching(
        /private or reserved network.*Or reach the service through a private connection/,
      ) as string,
    });
    expect(JSON.stringify(run)).not.toContain("169.254");
    const place = { ...sandbox, connectionId, by: alice };
    const throughPrivate = expect.stringMatching(/Or reach the service through a private connection\.$/) as string;
    expect(await harness.engine.connections.test(place)).toMatchObject({ ok: false, error: throughPrivate });
    const spec = { url: `${server}/openapi.json` };
    const asText = expect.stringMatching(
      /\(PROCEDO_ALLOW_NETWORKS of the server\)\. Or send the document as text\.$/,
    ) as string;
    const updates = [
      [{ spec }, asText],
      [{ baseUrl: `${server}/v2` }, throughPrivate],
    ] as const;
    for (const [settings, message] of updates) {
      const update = harness.engine.connections.update({ ...place, settings });
      await expect(update).rejects.toMatchObject({ ...refused, message });
    }
    expect(inside.arrivals).toEqual([]);
    const seen = JSON.stringify(await harness.engine.connections.get(place)) + harness.engine.logged.join();
    expect(seen).not.toContain(token);
  });

  test("is reached if the operator allows its network", async () => {
    const harness = await createConnectionHarness({ egress: { allowNetworks: ["127.0.0.1/32"] } });
    await harness.connect();
    expect((await harness.read(await harness.call())).status).toBe("completed");
  });
});

test("the target of a redirect gets no credentials", async () => {
  const harness = await createConnectionHarness();
  const elsewhere = await listen(answering(http("200 OK", [])));
  const redirecting = await listen(answering(http("302 Found", [`location: http://127.0.0.1:${elsewhere.port}/`])));
  const server = `http://127.0.0.1:${redirecting.port}`;
  const settings = { spec: { text: documentText({ server, actions: payments }) } };
  const { connectionId } = await harness.connect({ settings });
  await harness.call();
  await harness.engine.connections.test({ ...sandbox, connectionId, by: alice });
  expect(redirecting.arrivals).not.toEqual([]);
  expect(elsewhere.arrivals).toEqual([]);
});
