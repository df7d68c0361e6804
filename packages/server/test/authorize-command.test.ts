import { createBrowser, startOAuthServer, type OAuthServer } from "@procedo-testing/oauth-server";
import { connectionSchema } from "@procedo/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCommand } from "../src/index.ts";
import { integrations } from "./bank.ts";
import { makePlace, procedo, procedoJson, startProcess, type Place, type ServerProcess } from "./server-process.ts";

let oauth: OAuthServer;
let place: Place;
let server: ServerProcess;

beforeAll(async () => {
  oauth = await startOAuthServer();
  const own = makePlace({ CLIENT_SECRET: oauth.client.secret });
  server = await startProcess(own);
  // The commands name the address at which the server listens.
  place = { ...own, env: { ...own.env, APP_URL: server.url } };
  oauth.allowRedirect(`${server.url}/oauth/callback`);
  const settings = ["--setting", `server=${oauth.issuer}`, "--setting", `clientId=${oauth.client.id}`];
  const argv = ["--integration", "books", ...settings, "--secret", "clientSecret=env:CLIENT_SECRET"];
  const created = await procedo(place, "connections", "create", "--name", "books", "--environment", "sandbox", ...argv);
  if (created.code !== 0) throw new Error(created.err);
});

afterAll(async () => {
  server.kill("SIGTERM");
  await server.ended;
  await oauth.stop();
  place.remove();
});

/** Runs the command, and opens the page that it prints in a browser. */
async function authorize(...flags: readonly string[]) {
  let out = "";
  let opening: Promise<unknown> | undefined;
  const stdout = {
    write: (text: string) => {
      out += text;
      const [url] = /http\S+\/oauth\/start\/[\w-]+/.exec(out) ?? [];
      if (url !== undefined) opening ??= createBrowser().open(url);
    },
  };
  const argv = ["connections", "authorize", "books", ...flags];
  const code = await runCommand({ argv, env: place.env, integrations, stdout });
  await opening;
  return { code, out };
}

describe("procedo connections authorize", () => {
  test("prints the page, waits for the person, and prints the account and the missing scopes", async () => {
    const before = await procedo(place, "connections", "show", "books");
    expect(before.out).toContain("  authorization: not_connected\n    scopes: accounting, payments\n");
    oauth.grantedScopes = ["accounting"];
    const { code, out } = await authorize("--person", "mara");
    expect(code, out).toBe(0);
    expect(out).toMatch(
      /^Open this page in a browser within 10 minutes:\nhttp:\/\/127\.0\.0\.1:\d+\/oauth\/start\/oat_/,
    );
    expect(out).toContain('Connection "books" is authorized.\n');
    expect(out).toContain("  authorization: connected, account Harbour Bakery (org-1)\n");
    expect(out).toMatch(/^ {4}authorized \S+.* by mara$/m);
    expect(out).toContain("    scopes: accounting\n    not granted: payments\n");
    expect((await procedo(place, "connections", "show", "books")).out).toContain("    not granted: payments\n");
  });

  test("accepts another account with --replace, and prints JSON for programs", async () => {
    oauth.account = { id: "org-2", name: "North Mill" };
    const { code, out } = await authorize("--replace", "--json");
    expect(code, out).toBe(0);
    const shown = connectionSchema.parse(await procedoJson(place, "connections", "show", "books"));
    expect(shown.oauth).toMatchObject({ status: "connected", account: { id: "org-2", name: "North Mill" } });
    expect(out).toContain('"name": "North Mill"');
  });

  test("unauthorize removes the tokens and revokes them", async () => {
    const { code, out } = await procedo(place, "connections", "unauthorize", "books");
    expect({ code, out }).toEqual({ code: 0, out: 'Connection "books" is no longer authorized.\n' });
    expect(oauth.count("revocation")).toBe(1);
    const shown = connectionSchema.parse(await procedoJson(place, "connections", "show", "books"));
    expect(shown.oauth?.status).toBe("not_connected");
  });

  test("is refused for a connection without OAuth, and over plain http to another machine", async () => {
    const bank = ["--name", "bank", "--integration", "bank", "--environment", "sandbox"];
    expect((await procedo(place, "connections", "create", ...bank)).code).toBe(0);
    const refused = await procedo(place, "connections", "authorize", "bank");
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining("not_oauth") as string });
    const elsewhere = { ...place, env: { ...place.env, APP_URL: "http://procedo.example" } };
    const plain = await procedo(elsewhere, "connections", "authorize", "books");
    expect(plain).toMatchObject({ code: 1, err: expect.stringContaining("Set APP_URL to an https address") as string });
  });
});
