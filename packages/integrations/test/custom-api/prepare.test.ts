import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { EgressError, type GuardedFetch } from "@procedo/engine";
import { describe, expect, test } from "vitest";
import { laidOver, ledgerDocument, ledgerPaths, ledgerSettings, prepare, ready } from "./documents.ts";

const answering =
  (body: ConstructorParameters<typeof Response>[0], init?: ResponseInit): GuardedFetch =>
  async (input) =>
    Object.defineProperty(new Response(body, init), "url", {
      value: input instanceof Request ? input.url : String(input),
    });

const server = "https://ledger.test/v1";

describe("a pasted document", () => {
  test("is stored beside the settings, which describe it", async () => {
    const document = ledgerDocument(server);
    const prepared = await ready({ settings: { spec: { text: document } } });
    expect(prepared.connection.document).toBe(document);
    expect(prepared.connection.settings).toEqual({
      spec: {
        title: "Ledger",
        version: "1.2",
        bytes: Buffer.byteLength(document),
        digest: createHash("sha256").update(document).digest("hex"),
        baseUrl: server,
      },
      baseUrl: server,
      authentication: { method: "none" },
    });
    expect([prepared.baseUrl, prepared.unconfirmedBaseUrl, prepared.problems]).toEqual([server, undefined, []]);
  });

  test("is refused with all its problems, each with its place", async () => {
    const text = '{"openapi":"3.1.0","info":{"title":"x","version":"1"},"paths":{}}';
    const prepared = await prepare({ settings: { spec: { text } } });
    expect(prepared).toMatchObject({
      status: "refused",
      problems: [{ severity: "error", code: "invalid_document", message: expect.stringContaining("3.1.0") as string }],
    });
  });

  test("that is partly broken is accepted, and omitted parts are reported", async () => {
    const paths = { ...ledgerPaths, "/broken/{id}": { get: { parameters: "id", responses: {} } } };
    const prepared = await ready({ settings: { spec: { text: ledgerDocument(server, paths) } } });
    expect(
      prepared.problems.some(({ severity, path }) => severity === "error" && path.startsWith("/paths/~1broken")),
    ).toBe(true);
  });
});

describe("a fetched document", () => {
  const url = "https://ledger.test/openapi.json?key=s3cret";

  test("is requested once, and its address is stored", async () => {
    const asked: unknown[] = [];
    const fetch: GuardedFetch = (input, init) => {
      asked.push([input, init?.redirect]);
      return answering(`\ufeff${ledgerDocument(server)}`)(input);
    };
    const prepared = await ready({ settings: { spec: { url } }, fetch });
    expect(asked).toEqual([[url, "manual"]]);
    expect(prepared.connection.settings).toMatchObject({ spec: { url, title: "Ledger" } });
    expect(prepared.connection.document).toBe(ledgerDocument(server));
  });

  test.each<[string, GuardedFetch, RegExp]>([
    ["404", answering("nothing", { status: 404 }), /answers with 404/],
    ["204", answering(null, { status: 204 }), /answers with 204/],
    [
      "a redirect",
      answering(null, { status: 302, headers: { location: "/v2/openapi.json?token=abc" } }),
      /redirect \(302\).*it leads to https:\/\/ledger\.test\/v2\/openapi\.json: give that address/,
    ],
    ["a redirect to nowhere", answering(null, { status: 301 }), /give the address of the document itself/],
  ])("is refused at its field: %s", async (_name, fetch, message) => {
    const prepared = await prepare({ settings: { spec: { url } }, fetch });
    expect(prepared).toMatchObject({
      status: "invalid",
      details: [{ path: "/settings/spec/url", message: expect.stringMatching(message) as string }],
    });
    expect(JSON.stringify(prepared)).not.toMatch(/s3cret|abc/);
  });

  test("that is a web page or not text is reported as such", async () => {
    const page = await prepare({ settings: { spec: { url } }, fetch: answering("<!doctype html><html></html>") });
    expect(page).toMatchObject({ status: "refused", problems: [{ message: expect.stringMatching(/HTML/) as string }] });
    const image = await prepare({
      settings: { spec: { url } },
      fetch: answering(Buffer.from([0x89, 0x50, 0xff, 0xfe])),
    });
    expect(image).toMatchObject({ status: "refused", problems: [{ severity: "error" }] });
  });

  test("may be compressed by its server", async () => {
    const coded = { headers: { "content-encoding": "gzip" } };
    const fetch = answering(gzipSync(ledgerDocument(server)), coded);
    expect((await ready({ settings: { spec: { url } }, fetch })).connection.document).toBe(ledgerDocument(server));
    const bomb = answering(gzipSync(Buffer.alloc(64 * 1024 * 1024)), coded);
    expect(await prepare({ settings: { spec: { url } }, fetch: bomb })).toMatchObject({
      status: "invalid",
      details: [{ path: "/settings/spec/url", message: expect.stringContaining("too large") as string }],
    });
  });

  test("throws the errors of the guarded client", async () => {
    const refusal = new EgressError("destination", "not allowed", { sent: "no" });
    await expect(prepare({ settings: { spec: { url } }, fetch: () => Promise.reject(refusal) })).rejects.toBe(refusal);
  });

  test("is not fetched for invalid settings", async () => {
    const settings = { spec: { url }, authentication: { method: "bearer_token" } };
    expect(await prepare({ settings })).toMatchObject({ status: "invalid", details: [{ path: "/secrets/token" }] });
  });
});

const client = { method: "client_credentials", tokenUrl: "https://id.test/token", clientId: "procedo" };
const clientSecret = { clientSecret: "cl1ent-s3cret" };
const browser = { ...client, method: "oauth2", authorizationUrl: "https://id.test/authorize", scopes: ["ledger"] };

describe("invalid settings and secrets are reported at once", () => {
  test("each at its field", async () => {
    const settings = {
      ...ledgerSettings(),
      baseUrl: "https://ledger.test/v1?x=1",
      authentication: { method: "api_key_header", header: "Content-Length" },
      idempotencyHeader: "Content-Type",
    };
    const prepared = await prepare({ settings, secrets: { apiKey: "日本", other: "x" } });
    const paths = prepared.status === "invalid" ? prepared.details.map(({ path }) => path) : prepared;
    expect(paths).toEqual([
      "/settings/baseUrl",
      "/settings/authentication/header",
      "/settings/idempotencyHeader",
      "/secrets/other",
    ]);
  });

  test("with messages that state the requirement", async () => {
    const settings = { ...ledgerSettings(), authentication: { method: "basic_auth" }, colour: "red" };
    expect(await prepare({ settings, secrets: {} })).toEqual({
      status: "invalid",
      details: [{ path: "/settings/colour", message: "is not a known field" }],
    });
    const { colour: _, ...known } = settings;
    expect(await prepare({ settings: known, secrets: {} })).toEqual({
      status: "invalid",
      details: [
        { path: "/secrets/user", message: "is required" },
        { path: "/secrets/password", message: "is required" },
      ],
    });
  });

  test.each([
    [{ baseUrl: "https://u:p@ledger.test" }, {}, "/settings/baseUrl"],
    [{ baseUrl: "https://ledger.test/#x" }, {}, "/settings/baseUrl"],
    [{ baseUrl: "ftp://ledger.test" }, {}, "/settings/baseUrl"],
    [{ effects: { nothing: "read" } }, {}, "/settings/effects/nothing"],
    [{ authentication: { method: "basic_auth" } }, { user: "a:b", password: "" }, "/secrets/user"],
    [{ authentication: { method: "api_key_header", header: "X" } }, { apiKey: "日" }, "/secrets/apiKey"],
    [{ authentication: { method: "bearer_token" } }, { token: "a\r\nb" }, "/secrets/token"],
    [
      { authentication: { method: "bearer_token" }, idempotencyHeader: "AUTHORIZATION" },
      { token: "t" },
      "/settings/idempotencyHeader",
    ],
    [{ idempotencyHeader: "Host" }, {}, "/settings/idempotencyHeader"],
    [{ authentication: client, idempotencyHeader: "authorization" }, clientSecret, "/settings/idempotencyHeader"],
    [{ authentication: client, headers: { authorization: "x" } }, clientSecret, "/settings/headers/authorization"],
    [{ authentication: client }, {}, "/secrets/clientSecret"],
    [
      { authentication: { ...client, parameters: { audience: `a ${clientSecret.clientSecret}` } } },
      clientSecret,
      "/settings/authentication/parameters/audience",
    ],
    [{ unknown: 1 }, {}, "/settings/unknown"],
  ])("%j with %j: %s", async (settings, secrets, path) => {
    const prepared = await prepare({ settings: { ...ledgerSettings(), ...settings }, secrets });
    expect(prepared).toMatchObject({ status: "invalid", details: [{ path }] });
    expect(JSON.stringify(prepared)).not.toContain("u:p");
  });

  test.each([
    [{ method: "api_key_header", header: "X-Key" }, { apiKey: "kü" }],
    [{ method: "api_key_query", parameter: "k e y" }, { apiKey: "日本" }],
    [{ method: "bearer_token" }, { token: "t" }],
    [{ method: "basic_auth" }, { user: "u", password: "" }],
    [client, clientSecret],
    [browser, clientSecret],
    [browser, {}],
    [{ method: "none" }, {}],
  ])("%j accepts %j", async (authentication, secrets) => {
    const settings = { ...ledgerSettings(), authentication };
    expect((await ready({ settings, secrets })).connection.settings).toMatchObject({ authentication });
  });

  test("a document without a server needs a base URL, but can be previewed", async () => {
    const settings = { spec: { text: ledgerDocument(undefined) } };
    expect(await prepare({ settings })).toMatchObject({ status: "invalid", details: [{ path: "/settings/baseUrl" }] });
    expect(await prepare({ settings, secrets: undefined })).toMatchObject({ status: "ready", baseUrl: undefined });
    const named = await ready({ settings: { ...settings, baseUrl: "https://own.test" } });
    expect(named.baseUrl).toBe("https://own.test");
  });

  test("a document can be previewed without any secret", async () => {
    expect(await prepare({ settings: ledgerSettings(), secrets: undefined })).toMatchObject({
      status: "ready",
      baseUrl: server,
    });
  });
});

describe("an update", () => {
  test("without a document keeps the stored document", async () => {
    const before = (await ready({ settings: ledgerSettings() })).connection;
    const more = {
      idempotencyHeader: "Idempotency-Key",
      idempotencyKeyTtlMs: 300_000,
      effects: { "pay.now": "idempotent" },
    };
    const after = await ready(laidOver(before, more));
    expect(after.connection).toEqual({ document: before.document, settings: { ...before.settings, ...more } });
    const removed = { idempotencyHeader: null, idempotencyKeyTtlMs: null, effects: null };
    const without = await ready(laidOver(after.connection, removed));
    expect(without.connection).toEqual(before);
  });

  test("may leave secrets of the previous method", async () => {
    const before = (await ready({ settings: ledgerSettings() })).connection;
    const changed = laidOver(before, { authentication: { method: "bearer_token" } });
    expect((await ready({ ...changed, secrets: { apiKey: "old", token: "t" } })).status).toBe("ready");
    expect(await prepare({ ...changed, secrets: { apiKey: "old" } })).toMatchObject({ status: "invalid" });
  });

  test("drops effects of actions that the new document lacks, and rejects new ones", async () => {
    const settings = { ...ledgerSettings(), effects: { "pay.now": "idempotent", health: "once" } };
    const before = (await ready({ settings })).connection;
    const { "/health": _, ...paths } = ledgerPaths;
    const spec = { text: ledgerDocument(server, paths) };
    const after = await ready(laidOver(before, { spec }));
    expect(after.connection.settings["effects"]).toEqual({ "pay.now": "idempotent" });
    const effects = { health: "once", nothing: "once" };
    expect(await prepare(laidOver(after.connection, { spec, effects }))).toMatchObject({
      status: "invalid",
      details: [{ path: "/settings/effects/health" }, { path: "/settings/effects/nothing" }],
    });
  });

  test("rejects settings of a document that imitate stored ones", async () => {
    const before = (await ready({ settings: ledgerSettings() })).connection;
    const spec = { ...(before.settings["spec"] as object), digest: "0".repeat(64) };
    expect(await prepare(laidOver(before, { spec }))).toMatchObject({ status: "invalid" });
  });
});

describe("a server that a new document names instead of the previous one", () => {
  const moved = { text: ledgerDocument("https://evil.test/v1") };

  test("must be confirmed before anything is sent there (O-03)", async () => {
    const before = (await ready({ settings: ledgerSettings() })).connection;
    const after = await ready(laidOver(before, { spec: moved }));
    expect([after.baseUrl, after.unconfirmedBaseUrl]).toEqual([undefined, "https://evil.test/v1"]);
    expect(after.connection.settings).not.toHaveProperty("baseUrl");

    const other = await ready(laidOver(after.connection, { idempotencyHeader: "X-Once" }));
    expect([other.baseUrl, other.unconfirmedBaseUrl]).toEqual([undefined, "https://evil.test/v1"]);
    const third = await ready(laidOver(after.connection, { spec: { text: ledgerDocument("https://third.test") } }));
    expect([third.baseUrl, third.unconfirmedBaseUrl]).toEqual([undefined, "https://third.test"]);
  });

  test.each(["https://evil.test/v1", server, "https://own.test"])(
    "is confirmed or replaced by setting %s",
    async (baseUrl) => {
      const before = (await ready({ settings: ledgerSettings() })).connection;
      const withheld = (await ready(laidOver(before, { spec: moved }))).connection;
      const settled = await ready(laidOver(withheld, { baseUrl }));
      expect([settled.baseUrl, settled.unconfirmedBaseUrl]).toEqual([baseUrl, undefined]);
      expect(settled.connection.settings).toMatchObject({ baseUrl });
    },
  );

  test("is ignored when a person set the base URL, before or in the same update", async () => {
    const named = (await ready({ settings: { ...ledgerSettings(), baseUrl: "https://own.test" } })).connection;
    expect((await ready(laidOver(named, { spec: moved }))).baseUrl).toBe("https://own.test");
    const fromDocument = (await ready({ settings: ledgerSettings() })).connection;
    const update = laidOver(fromDocument, { spec: moved, baseUrl: "https://own.test" });
    expect((await ready(update)).baseUrl).toBe("https://own.test");
  });

  test("needs no confirmation when it is the same one or missing", async () => {
    const before = (await ready({ settings: ledgerSettings() })).connection;
    for (const text of [ledgerDocument(server, { "/x": ledgerPaths["/health"] ?? null }), ledgerDocument(undefined)]) {
      expect((await ready(laidOver(before, { spec: { text } }))).baseUrl).toBe(server);
    }
  });
});
