import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import type { JsonObject } from "@procedo/contract";
import { createEngine, ProcedoError, type Engine } from "@procedo/engine";
import { createMemoryStorage } from "@procedo/storage";
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { customApi } from "../../src/index.ts";
import { recordingServer } from "../calls/recording-server.ts";
import { ledgerDocument } from "../custom-api/documents.ts";
import { by, callDocument, ledgerEngine, sandbox } from "./ledger-engine.ts";

// Detects any request to this machine's addresses on this port.
let connections = 0;
const listener = createServer((socket) => {
  connections += 1;
  socket.destroy();
});
let port: number;
beforeAll(async () => {
  listener.listen(0, "::");
  await once(listener, "listening");
  ({ port } = listener.address() as AddressInfo);
});
afterAll(() => void listener.close());
afterEach(() => expect(connections).toBe(0));

/** Notations of addresses of this machine, its network, or its metadata service. */
const hosts = [
  ...["127.0.0.1", "127.1", "127.255.255.254", "2130706433", "0x7f000001", "0x7f.1", "0177.0.0.1", "017700000001"],
  ...["0.0.0.0", "0", "localhost", "LOCALHOST", "localhost.", "api.localhost", "127.0.0.1.", "127%2e0.0.1"],
  ...["①②⑦.⓪.⓪.①", "127。0。0。1", "ⓛocalhost", "[::1]", "[::]", "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]"],
  ...["[::ffff:7f00:1]", "[::127.0.0.1]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]", "[fe80::1]", "[fd00:ec2::254]"],
  ...["169.254.169.254", "2852039166", "0xa9fea9fe", "[::ffff:169.254.169.254]", "10.0.0.1", "172.16.0.1"],
  ...["172.31.255.255", "192.168.1.1", "100.64.0.1", "192.0.0.8", "198.18.0.1", "224.0.0.1", "255.255.255.255"],
];

/** Addresses that are forbidden for requests with any host. */
const others = [
  "file:///etc/passwd",
  "gopher://93.184.216.34/",
  "ftp://93.184.216.34/",
  "javascript:alert(1)",
  "data:,x",
];

const publicServer = "https://93.184.216.34/v1";
const refused = async (work: Promise<unknown>): Promise<string> => {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return ProcedoError.isError(error) ? error.code : "was not refused";
};

function strictEngine(): Engine {
  const storage = createMemoryStorage({ now: Date.now });
  const engine = createEngine({ storage, integrations: [customApi()], masterKey: new Uint8Array(32).fill(7) });
  onTestFinished(() => engine.stop());
  return engine;
}

describe("an internal address is rejected before any connection", () => {
  test.each([...hosts.map((host) => `http://${host}:PORT/openapi.json`), ...others])("%s", async (template) => {
    const url = template.replace("PORT", String(port));
    const { connections } = strictEngine();
    const create = (name: string, settings: JsonObject) => {
      const secrets = { token: "canary" };
      const authentication = { method: "bearer_token" };
      const request = {
        name,
        integration: "custom_api",
        ...sandbox,
        settings: { authentication, ...settings },
        secrets,
      };
      return connections.create({ ...request, by });
    };
    const healthy = { text: ledgerDocument(publicServer) };
    const { connectionId } = await create("healthy", { spec: healthy });
    const place = { ...sandbox, connectionId, by };
    const codes = await Promise.all(
      [
        // The document's address.
        create("a", { spec: { url } }),
        connections.update({ ...place, settings: { spec: { url } } }),
        connections.preview({ integration: "custom_api", settings: { spec: { url } }, ...sandbox, by }),
        // The base URL in the settings.
        create("b", { spec: healthy, baseUrl: url }),
        connections.update({ ...place, settings: { baseUrl: url } }),
        // The server in the document.
        create("c", { spec: { text: ledgerDocument(url) } }),
      ].map(refused),
    );
    expect(codes.filter((code) => code !== "destination_not_allowed" && code !== "invalid_input")).toEqual([]);
    expect((await connections.list({ ...sandbox, limit: 10 })).items.map(({ name }) => name)).toEqual(["healthy"]);
  });
});

describe("a redirect is not followed", () => {
  test("when a document is fetched", async () => {
    const harness = await ledgerEngine();
    harness.server.answers = [{ status: 302, headers: { location: `http://127.0.0.1:${port}/openapi.json` } }];
    const spec = { url: `${harness.server.origin}/openapi.json` };
    await expect(harness.connect({ spec })).rejects.toMatchObject({ code: "invalid_input" });
    expect(harness.server.requests).toHaveLength(1);
  });

  test.each([301, 302, 303, 307, 308])(
    "when an action is called and answered with %i, nor are credentials sent there",
    async (status) => {
      const harness = await ledgerEngine();
      const elsewhere = await recordingServer();
      onTestFinished(() => elsewhere.close());
      const spec = { text: ledgerDocument(`${harness.server.origin}/v1`) };
      await harness.connect({ spec, authentication: { method: "bearer_token" } }, { token: "canary" });
      harness.server.answers = [{ status, headers: { location: `${elsewhere.origin}/elsewhere` } }];
      const run = await harness.run(callDocument("health", {}, { retry: { maxAttempts: 1 } }));
      expect(harness.server.requests.length).toBeGreaterThan(0);
      expect(elsewhere.requests).toEqual([]);
      expect(JSON.stringify(run)).not.toContain("canary");
    },
  );
});
