import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createHttp, nodeHandler } from "@procedo/http";
import { describe, expect, onTestFinished, test } from "vitest";
import { createHarness, origin, read, textOf } from "./harness.ts";

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const start = (url: string, key: string, text = '{"data":{"a":1},"control":{"executionMode":"sync"}}') =>
  fetch(url, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: text,
  });

/** An app's own routes: they answer each path that reaches them. */
const ownRoutes = (request: IncomingMessage, response: ServerResponse): void => {
  response.writeHead(200).end(`own ${request.url ?? ""}`);
};

describe("createHttp with a base path", () => {
  test("answers every endpoint under it, and none elsewhere", async () => {
    const { http, key } = await createHarness({ basePath: "/procedo" });
    const status = async (path: string) => (await http.fetch(new Request(`${origin}${path}`))).status;
    expect(await status("/procedo/healthz")).toBe(200);
    expect(await status("/procedo/api/v1/runs")).toBe(401);
    expect(await status("/healthz")).toBe(404);
    expect(await status("/procedoo/healthz")).toBe(404);
    const started = await http.fetch(
      new Request(`${origin}/procedo/v1/procedures/echo/sandbox`, {
        method: "POST",
        headers: { authorization: `Bearer ${await key()}`, "content-type": "application/json" },
        body: '{"data":{}}',
      }),
    );
    expect(started.status).toBe(202);
  });

  test("names the description under it to a caller that missed the path", async () => {
    const { http } = await createHarness({ basePath: "/procedo" });
    const answer = await read(await http.fetch(new Request(`${origin}/procedo/api/v1/runz`)));
    expect(answer).toMatchObject({
      status: 404,
      body: { error: expect.stringContaining("GET /procedo/api/v1/openapi.json") },
    });
  });

  test("serves all paths under it; without one, the paths of operations", async () => {
    const under = (await createHarness({ basePath: "/procedo" })).http;
    expect(
      ["/procedo/api/v1/runs", "/procedo/missing", "/procedo", "/api/v1/runs"].map((path) => under.serves(path)),
    ).toEqual([true, true, false, false]);
    const root = (await createHarness()).http;
    expect(["/api/v1/runs", "/healthz", "/api/v1/missing", "/"].map((path) => root.serves(path))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  test.each(["procedo", "/", "/procedo/", "//procedo", "/a//b", "/a/../b", "/a?b", "/a b", "/a%2Fb", 7])(
    "refuses %j",
    async (basePath) => {
      const { engine } = await createHarness();
      const options = { engine, runnerUrl: origin, appUrl: origin, basePath: basePath as string };
      expect(() => createHttp(options)).toThrow(/The option basePath is .*Give a path such as "\/procedo"/);
    },
  );
});

describe("nodeHandler", () => {
  test("passes a path on that does not belong to the interface, with any method", async () => {
    const { http, key } = await createHarness();
    const handle = nodeHandler(http);
    const url = await listen((request, response) => handle(request, response, () => ownRoutes(request, response)));
    expect(await (await fetch(`${url}/invoices?page=2`)).text()).toBe("own /invoices?page=2");
    expect((await fetch(`${url}/api/v1/runs`)).status).toBe(401);
    expect((await fetch(`${url}/api/v1/runs`, { method: "DELETE" })).status).toBe(405);
    expect((await start(`${url}/v1/procedures/echo/sandbox`, await key())).status).toBe(200);
    expect((await fetch(`${url}/api/v1/runs?limit=x`)).status).toBe(401);
  });

  test("leaves a body unread for the routes that follow", async () => {
    const { http } = await createHarness({ basePath: "/procedo" });
    const handle = nodeHandler(http);
    const url = await listen((request, response) =>
      handle(request, response, () => {
        const parts: Buffer[] = [];
        request.on("data", (part: Buffer) => parts.push(part));
        request.on("end", () => response.end(Buffer.concat(parts)));
      }),
    );
    expect(await (await fetch(`${url}/invoices`, { method: "POST", body: "an invoice" })).text()).toBe("an invoice");
  });

  test("answers a path that is not its own with 404, where nothing follows", async () => {
    const { http } = await createHarness();
    const url = await listen(nodeHandler(http));
    expect((await fetch(`${url}/invoices`)).status).toBe(404);
  });

  test("reads the path that the caller sent, also where a framework removed its beginning", async () => {
    const { http } = await createHarness({ basePath: "/procedo" });
    const handle = nodeHandler(http);
    const url = await listen((request, response) => {
      // Like `app.use("/procedo", handler)` of Express.
      const mounted = Object.assign(request, { originalUrl: request.url, url: request.url?.slice("/procedo".length) });
      handle(mounted, response, () => ownRoutes(request, response));
    });
    expect((await fetch(`${url}/procedo/healthz`)).status).toBe(200);
  });
});

describe("a body that was read before the interface", () => {
  const message = /was read before the request reached Procedo.*express\.json\(\)/;

  test("is answered 500 at once with the change to make, and logged", async () => {
    const { http, key, logged } = await createHarness();
    const handle = nodeHandler(http);
    const url = await listen((request, response) => {
      // Like `app.use(express.json())`.
      request.resume().once("end", () => handle(request, response));
    });
    const answer = await read(await start(`${url}/v1/procedures/echo/sandbox`, await key()));
    expect(answer).toMatchObject({ status: 500, body: { code: "internal", error: expect.stringMatching(message) } });
    expect(logged.join()).toMatch(message);
    // Requests without a body are not affected.
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    const listed = await fetch(`${url}/api/v1/runs`, { headers: { authorization: `Bearer ${await key()}` } });
    expect(listed.status).toBe(200);
  });

  test("is answered in the same way by fetch", async () => {
    const { http, key } = await createHarness();
    const request = async () =>
      new Request(`${origin}/v1/procedures/echo/sandbox`, {
        method: "POST",
        headers: { authorization: `Bearer ${await key()}`, "content-type": "application/json" },
        body: '{"data":{}}',
      });
    const used = await request();
    await used.json();
    const locked = await request();
    locked.body?.getReader();
    for (const one of [used, locked]) {
      const answer = await read(await http.fetch(one));
      expect(answer.status).toBe(500);
      expect(textOf(answer.body["error"])).toMatch(message);
    }
    expect((await http.fetch(await request())).status).toBe(202);
  });
});
