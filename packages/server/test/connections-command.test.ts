import {
  connectionPageSchema,
  connectionSchema,
  createdConnectionSchema,
  updatedConnectionSchema,
} from "@procedo/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openDescribedApi, paymentsDocument, type DescribedApi } from "./described-api.ts";
import {
  fileWith,
  makePlace,
  procedo,
  procedoJson,
  startProcess,
  type Place,
  type ServerProcess,
} from "./server-process.ts";

const token = "a-token/of+the=ledger";
let place: Place;
let server: ServerProcess;
let ledger: DescribedApi;

beforeAll(async () => {
  place = makePlace({ LEDGER_TOKEN: token });
  server = await startProcess(place);
  ledger = await openDescribedApi(({ headers }) => {
    return headers.authorization === `Bearer ${token}` ? { status: 200, body: "[]" } : { status: 401 };
  });
});

afterAll(async () => {
  server.kill("SIGTERM");
  await server.ended;
  await ledger.close();
  place.remove();
});

const sandbox = ["--environment", "sandbox"];
const spec = () => ["--spec", `${ledger.url}/openapi.json`, "--authentication", "bearer_token"];

describe("procedo connections", () => {
  test("create connects by a document's address, with a secret from the environment", async () => {
    const argv = ["--name", "ledger", ...sandbox, ...spec(), "--secret", "token=env:LEDGER_TOKEN"];
    const more = ["--idempotency-header", "Idempotency-Key", "--idempotency-key-ttl", "PT5M"];
    const effects = ["--effect", "post_payments=idempotent"];
    const headers = ["--header", "X-Tenant=acme", "--header", "Accept=application/json;version=2"];
    const flags = [...argv, ...more, ...effects, ...headers];
    const created = await procedoJson<unknown>(place, "connections", "create", ...flags);
    expect(createdConnectionSchema.parse(created)).toMatchObject({
      name: "ledger",
      integration: "custom_api",
      environment: "sandbox",
      settings: {
        baseUrl: ledger.url,
        authentication: { method: "bearer_token" },
        idempotencyHeader: "Idempotency-Key",
        idempotencyKeyTtlMs: 300_000,
        headers: { "X-Tenant": "acme", Accept: "application/json;version=2" },
        effects: { post_payments: "idempotent" },
      },
      secretNames: ["token"],
    });
    expect(JSON.stringify(created)).not.toContain(token);
    const { out } = await procedo(place, "connections", "show", "ledger");
    expect(out).toContain('  headers: {"X-Tenant":"acme","Accept":"application/json;version=2"}');
    expect(await procedo(place, "connections", "test", "ledger")).toMatchObject({
      code: 0,
      out: 'Connection "ledger" works.\n',
    });
  });

  test("create reads the document and a secret from files, without the secret's line break", async () => {
    const text = JSON.stringify(paymentsDocument(ledger.url));
    const [document, secret] = [fileWith(place, "ledger.json", text), fileWith(place, "token.txt", `${token}\r\n`)];
    const argv = ["--name", "books", ...sandbox, "--spec", document, "--authentication", "bearer_token"];
    const { code, out } = await procedo(place, "connections", "create", ...argv, "--secret", `token=@${secret}`);
    expect(code).toBe(0);
    expect(out).toMatch(/^Connection "books" \(con_\S+\) of custom_api in sandbox, created /);
    expect(out).not.toContain(token);
    expect(await procedo(place, "connections", "test", "books")).toMatchObject({ code: 0 });
  });

  test.each([`token=${token}`, token, "a-token/of"])(
    "a secret on the command line is refused, and not repeated",
    async (given) => {
      const argv = ["--name", "other", ...sandbox, ...spec(), "--secret", given];
      const { code, out, err } = await procedo(place, "connections", "create", ...argv);
      expect({ code, out }).toEqual({ code: 1, out: "" });
      expect(err).toContain("=@FILE");
      expect(err).not.toContain("a-token/of");
    },
  );

  test.each([
    ["a variable that is not set", ["--secret", "token=env:NO_SUCH"], 1, /NO_SUCH, for --secret token, is not set/],
    [
      "standard input for two things",
      ["--spec", "-", "--secret", "token=-"],
      1,
      /Standard input can be used only once/,
    ],
    ["an authentication without its name", ["--authentication", "api_key_header"], 2, /api_key_header=X-Api-Key/],
    ["an OAuth client without its settings", ["--authentication", "client_credentials"], 2, /settings, as JSON/],
    ["an authentication that is no JSON", ["--authentication", "{method"], 2, /settings, as JSON/],
    ["an unknown authentication", ["--authentication", "oauth"], 2, /Give one of api_key_header/],
    ["an unknown effect", ["--effect", "post_payments=twice"], 1, /effects\/post_payments/],
    [
      "an effect of no action",
      ["--effect", "pay=once", "--secret", "token=env:LEDGER_TOKEN"],
      1,
      /names no action of the document/,
    ],
    ["a secret that the method does not have", ["--secret", "password=env:LEDGER_TOKEN"], 1, /password/],
  ])("%s is reported", async (_what, flags, code, message) => {
    const argv = ["--name", "other", ...sandbox, ...spec(), ...flags];
    expect(await procedo(place, "connections", "create", ...argv)).toMatchObject({
      code,
      err: expect.stringMatching(message) as string,
    });
  });

  test("list and show print everything but secrets; a connection is found by name and by id", async () => {
    const { data } = connectionPageSchema.parse(await procedoJson(place, "connections", "list"));
    expect(data.map(({ name }) => name).toSorted()).toEqual(["books", "ledger"]);
    expect((await procedo(place, "connections", "list", "--environment", "live")).out).toMatch(
      /no connections in live/,
    );
    for (const which of ["ledger", data.find(({ name }) => name === "ledger")?.id ?? ""]) {
      const shown = connectionSchema.parse(await procedoJson(place, "connections", "show", which));
      expect(shown).toMatchObject({ name: "ledger", health: { status: "ok" }, secretNames: ["token"] });
    }
    const missing = await procedo(place, "connections", "show", "ledger", "--environment", "live");
    expect(missing).toMatchObject({ code: 1, err: expect.stringContaining("connection_not_found") as string });
  });

  test("update replaces the given settings, and the running server uses them", async () => {
    const wrong = fileWith(place, "wrong.txt", "another token");
    const { code, out } = await procedo(place, "connections", "update", "books", "--secret", `token=@${wrong}`);
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('Connection "books"') as string });
    const tested = await procedo(place, "connections", "test", "books");
    expect(tested).toMatchObject({ code: 1, out: expect.stringContaining("credentials were rejected") as string });

    const document = {
      openapi: "3.0.3",
      info: { title: "Ledger", version: "2" },
      servers: [{ url: ledger.url }],
      paths: { "/payments": { get: { operationId: "payments", responses: { 200: { description: "All" } } } } },
    };
    const file = fileWith(place, "second.json", document);
    const updated = await procedoJson<unknown>(
      place,
      "connections",
      "update",
      "books",
      "--spec",
      file,
      "--name",
      "second",
    );
    const { name, changes } = updatedConnectionSchema.parse(updated);
    expect(name).toBe("second");
    expect(changes?.renamed).toEqual([{ from: "get_payments", to: "payments" }]);
    expect(changes?.removed).toEqual(["post_payments"]);
  });

  test("remove deletes the connection", async () => {
    const { code, out } = await procedo(place, "connections", "remove", "second");
    expect({ code, out }).toEqual({
      code: 0,
      out: expect.stringMatching(/^Connection "second" \(con_\S+\) was removed/) as string,
    });
    expect((await procedo(place, "connections", "show", "second")).code).toBe(1);
  });
});
