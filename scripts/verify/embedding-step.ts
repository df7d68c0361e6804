import { checkConsumer } from "./consumer-project.ts";
import { filesOfPage } from "./page-files.ts";
import type { Step } from "./steps.ts";

/**
 * Runs every file of docs/embedding.md as the page has it, with the packages as installed, and calls the interface and
 * the app's own route of each. Express, Fastify and hono are served by themselves. Next.js and Bun,
 * of more than 100 MB each, are represented by the standard requests that both pass to the page's functions.
 */
export const embeddingPage: Step = {
  name: "consumer: the files of docs/embedding.md",
  needs: "build",
  run: () =>
    checkConsumer({
      packages: ["@procedo/engine", "@procedo/http", "@procedo/storage-sqlite"],
      peers: {
        "@hono/node-server": "2.1.9",
        "@types/express": "5.0.6",
        express: "5.3.0",
        fastify: "5.12.8",
        hono: "4.13.19",
      },
      // hono's declarations need those of browsers.
      skipLibCheck: true,
      files: { ...filesOfPage("docs/embedding.md"), "src/main.ts": main },
      main: "src/main.ts",
    }),
};

const main = `import { deepStrictEqual, match } from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import express from "express";
import Fastify from "fastify";
import { defineProcedure, z } from "@procedo/engine";
import { nodeHandler } from "@procedo/http";
import { register } from "./instrumentation.ts";
import * as next from "./app/procedo/[...path]/route.ts";
import bun from "./bun.ts";
import { app as expressApp } from "./express.ts";
import { app as fastifyApp } from "./fastify.ts";
import { app as honoApp } from "./hono.ts";
import { app as ownApp, sessions } from "./own-sign-in.ts";
import { engine, http } from "./procedo.ts";

const by = { person: "ana" };
const document = defineProcedure({
  procedureId: "echo",
  name: "Echo",
  input: z.object({ amount: z.int() }),
  nodes: { start: { kind: "start", next: "done" }, done: { kind: "end", output: { amount: "{{ input.amount }}" } } },
});
await engine.procedures.publish({ document, version: "1", by });
const { key } = await engine.keys.create({ name: "app", environment: "sandbox", by });

type Ask = (path: string, init?: RequestInit) => Promise<Response>;
const json = { "content-type": "application/json" };
const authorized = { ...json, authorization: "Bearer " + key };
const start = { method: "POST", headers: authorized, body: '{"data":{"amount":1250},"control":{"executionMode":"sync"}}' };
const startPath = "/procedo/v1/procedures/echo/sandbox";

/** A run over the interface, a refusal, and the app's own route behind the interface. */
async function check(name: string, ask: Ask, hasOwnRoute = true): Promise<void> {
  const run = (await (await ask(startPath, start)).json()) as { runId: string; status: string; output: unknown };
  deepStrictEqual([name, run.status, run.output], [name, "completed", { amount: 1250 }]);
  deepStrictEqual([name, (await ask("/procedo/runs/" + run.runId, { headers: authorized })).status], [name, 200]);
  deepStrictEqual([name, (await ask("/procedo/api/v1/runs")).status], [name, 401]);
  deepStrictEqual([name, (await ask("/procedo/missing")).status], [name, 404]);
  if (!hasOwnRoute) return;
  const hello = await ask("/hello", { method: "POST", headers: json, body: '{"name":"Ana"}' });
  deepStrictEqual([name, await hello.json()], [name, { hello: "Ana" }]);
}

/** A body that a parser of the app reads first is answered at once, with the change to make. */
async function checkParsed(name: string, ask: Ask): Promise<void> {
  const answer = await ask(startPath, start);
  deepStrictEqual([name, answer.status], [name, 500]);
  match(await answer.text(), /before any body parser, such as express/);
}

const servers: Server[] = [];
async function over(server: Server): Promise<Ask> {
  servers.push(server);
  if (!server.listening) await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return (path, init) => fetch("http://127.0.0.1:" + port + path, init);
}

await check("Express", await over(createServer(expressApp)));
const atPath = express().use("/procedo", nodeHandler(http));
await check("Express at a path", await over(createServer(atPath)), false);
await checkParsed("Express after a parser", await over(createServer(express().use(express.json(), nodeHandler(http)))));

await fastifyApp.listen({ port: 0 });
await check("Fastify", await over(fastifyApp.server));
const parsing = Fastify();
const handle = nodeHandler(http);
parsing.all("/procedo/*", (request, reply) => {
  reply.hijack();
  handle(request.raw, reply.raw);
});
await parsing.listen({ port: 0 });
await checkParsed("Fastify with its parser", await over(parsing.server));

const hono = serve({ fetch: honoApp.fetch, port: 0, hostname: "127.0.0.1" }) as Server;
if (!hono.listening) await new Promise((resolve) => hono.once("listening", resolve));
await check("hono", await over(hono));

const own = await over(createServer(ownApp));
sessions.set("1", { email: "ana@example.com", isApprover: false });
sessions.set("2", { email: "ben@example.com", isApprover: true });
const page = { ...json, cookie: "theme=dark; app=1", origin: "http://127.0.0.1:3000" };
const ownStart = (headers: Record<string, string>) => own(startPath, { ...start, headers });
const ownRun = (await (await ownStart(page)).json()) as { runId: string; status: string };
deepStrictEqual(ownRun.status, "completed");
deepStrictEqual((await engine.runs.get({ environment: "sandbox", runId: ownRun.runId })).startedBy, "ana@example.com");
const known = (await (await own("/procedo/api/v1/session", { headers: page })).json()) as { principal: unknown };
const permissions = ["run"];
deepStrictEqual(known.principal, { person: "ana@example.com", roles: [], permissions, environment: "sandbox" });
deepStrictEqual((await ownStart({ ...page, origin: "https://evil.example" })).status, 403);
deepStrictEqual((await ownStart({ ...page, cookie: "app=2" })).status, 403);
deepStrictEqual((await ownStart(authorized)).status, 200);
deepStrictEqual((await own("/procedo/api/v1/people", { headers: page })).status, 404);
sessions.delete("1");
deepStrictEqual((await ownStart(page)).status, 401);

process.env["NEXT_RUNTIME"] = "nodejs";
await register();
const origin = "http://127.0.0.1:3000";
const route = next as unknown as Record<string, (request: Request) => Promise<Response>>;
await check("Next.js", async (path, init) => await route[init?.method ?? "GET"]!(new Request(origin + path, init)), false);
const server = { requestIP: () => ({ address: "127.0.0.1" }) };
await check("Bun", async (path, init) => await bun.fetch(new Request(origin + path, init), server));

await fastifyApp.close();
await parsing.close();
for (const one of servers) one.close();
for (const one of servers) one.closeAllConnections();
await engine.stop();
`;
