import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { describeApi, importDocument, type ApiDescription } from "@procedo/integrations/openapi";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { fileWith, inherited, makePlace, procedo, type Place } from "./server-process.ts";

let place: Place;
beforeEach(() => {
  place = makePlace();
});
afterEach(() => {
  // No command saves anything.
  expect(existsSync(place.env["PROCEDO_DATA_DIR"] ?? "")).toBe(false);
  place.remove();
});

const ledger = `openapi: 3.0.3
info: { title: Ledger, version: "1.2" }
servers: [{ url: https://ledger.example.com/v1 }]
paths:
  /payments:
    get:
      deprecated: true
      parameters: [{ name: status, in: query, schema: { type: string } }]
      responses: { "200": { description: All }}
    post:
      operationId: "make\\e[31m payment"
      requestBody:
        required: true
        content: { application/json: { schema: { type: object, required: [amount], properties: { amount: { type: integer } } } } }
      responses: { "201": { description: Made } }
  /broken:
    get:
      parameters: [{ name: a, in: nowhere, required: true, schema: { type: string } }]
      responses: { "200": { description: Never } }
`;

/** Runs the command in a separate process whose standard output is a pipe. */
async function inProcess(input: string, ...argv: readonly string[]): Promise<{ code: unknown; out: unknown }> {
  const script = fileURLToPath(new URL("../src/procedo.ts", import.meta.url));
  const child = spawn(process.execPath, ["--conditions=@procedo/source", script, ...argv], {
    cwd: place.folder,
    env: { ...inherited, ...place.env },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = once(child, "close");
  child.stdin.end(input);
  const out = await json(child.stdout);
  const [code] = (await ended) as readonly unknown[];
  return { code, out };
}

/** Answers every request the same way and counts the connections. */
async function serving(body: string, status = 200, headers: Readonly<Record<string, string>> = {}) {
  let connections = 0;
  const server = createServer((_request, response) => response.writeHead(status, headers).end(body));
  server.on("connection", () => (connections += 1));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/openapi.yaml`;
  return { url, connections: () => connections };
}

describe("procedo actions", () => {
  test("shows the actions of a file and its problems with their places", async () => {
    const { code, out, err } = await procedo(place, "actions", fileWith(place, "ledger.yaml", ledger));
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out.split("\n")).toEqual([
      "Ledger 1.2, https://ledger.example.com/v1",
      "",
      "ACTION                  METHOD  PATH       EFFECT",
      "get_payments            GET     /payments  read    deprecated",
      "make\\u{1b}[31m payment  POST    /payments  once",
      "",
      expect.stringMatching(/^error: 18:31 \/paths\/~1broken\/get\/parameters\/0\/in "nowhere"/),
      "",
      "2 actions, 1 error, 0 warnings.",
      "",
    ]);
    // A name is untrusted text and must not control the terminal.
    expect(out).not.toContain("\u001B");
  });

  test("--json prints only the importer's description", async () => {
    const { code, out, err } = await procedo(place, "actions", fileWith(place, "ledger.yaml", ledger), "--json");
    const imported = importDocument(ledger);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(JSON.parse(out)).toEqual(imported.ok ? describeApi(imported.api) : undefined);
    expect(JSON.parse(out)).toMatchObject({
      title: "Ledger",
      version: "1.2",
      baseUrl: "https://ledger.example.com/v1",
      actions: [
        {
          name: "get_payments",
          method: "get",
          deprecated: true,
          parameters: [{ input: "status", in: "query", name: "status", required: false }],
        },
        {
          operationId: "make\u001B[31m payment",
          effect: "once",
          parameters: [{ input: "amount", in: "body", name: "amount", required: true }],
          body: { required: true, mediaType: "application/json" },
        },
      ],
      problems: [{ severity: "error", pointer: "/paths/~1broken/get/parameters/0/in", line: 18 }],
    });
  });

  test.each([
    ["another kind of document", "asyncapi: 3.0.0\n", /AsyncAPI is not supported/],
    ["nothing", "", /is empty/],
    ["broken JSON", '{"openapi": "3.0.3",', /JSON/],
  ])("%s is refused with exit code 1, and --json prints the problems", async (_what, text, message) => {
    const file = fileWith(place, "document", text);
    const shown = await procedo(place, "actions", file);
    expect(shown).toMatchObject({ code: 1, out: expect.stringMatching(message) as string });
    const { code, out, err } = await procedo(place, "actions", file, "--json");
    expect({ code, err }).toEqual({ code: 1, err: "" });
    const described = JSON.parse(out) as ApiDescription;
    expect(described).toMatchObject({ title: null, version: null, baseUrl: null, actions: [] });
    expect(described.problems).toMatchObject([
      { severity: "error", message: expect.stringMatching(message) as string },
    ]);
  });

  test("a missing file is reported on standard error", async () => {
    const { code, out, err } = await procedo(place, "actions", "no-such-file.yaml", "--json");
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toMatch(/^Error \(invalid_input\): "no-such-file\.yaml" cannot be read/);
  });

  test("reads standard input, and writes 20,000 operations completely to a pipe", async () => {
    const path = { get: { responses: { 200: { description: "ok" } } } };
    const paths = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`/r${index}`, path]));
    const document = { openapi: "3.0.3", info: { title: "Big", version: "1" }, paths };
    const { code, out } = await inProcess(JSON.stringify(document), "actions", "-", "--json");
    expect(code).toBe(0);
    expect((out as ApiDescription).actions).toHaveLength(20_000);
  });
});

describe("procedo actions URL", () => {
  test("reads a document from an address", async () => {
    const { url } = await serving(ledger);
    expect(await procedo(place, "actions", url)).toMatchObject({
      code: 0,
      out: expect.stringContaining("2 actions, 1 error, 0 warnings.") as string,
    });
  });

  test("reaches no address that is forbidden for the service", async () => {
    const { url, connections } = await serving(ledger);
    const closed = { ...place, env: { ...place.env, PROCEDO_ALLOW_NETWORKS: "" } };
    const { code, out, err } = await procedo(closed, "actions", url, "--json");
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toContain("Error (destination_not_allowed)");
    expect(connections()).toBe(0);
  });

  test.each([
    [
      "a redirect",
      "",
      302,
      { location: "http://127.0.0.1:1/elsewhere?key=secret" },
      /redirect \(302\).*127\.0\.0\.1:1\/elsewhere:/,
    ],
    ["an error", "Not here.", 404, {}, /answers with 404 instead of a document/],
  ])("reports that it received %s", async (_what, body, status, headers, message) => {
    const { url } = await serving(body, status, headers);
    const { code, err } = await procedo(place, "actions", url);
    expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(message) as string });
    expect(err).not.toContain("secret");
  });

  test("reports that it received a page", async () => {
    const { url } = await serving("<!doctype html><title>API</title>", 200, { "content-type": "text/html" });
    const { code, out } = await procedo(place, "actions", url);
    expect({ code, out }).toEqual({ code: 1, out: expect.stringContaining("HTML") as string });
  });
});
