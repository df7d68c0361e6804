/** The maximum throughput of an application on hono, which is also the receiver of deliveries. */
import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { echoTarget } from "./echo-target.ts";
import { closeServer, listenOnFreePort } from "./loopback.ts";
import type { Subject } from "./subject.ts";

export const honoEcho: Subject = {
  async listen() {
    const { port, close } = await listenToEcho();
    return { target: echoTarget(port), close };
  },
};

export async function listenToEcho(): Promise<{ readonly port: number; readonly close: () => Promise<void> }> {
  const app = new Hono();
  app.post("*", async (context) => context.json(await context.req.json()));
  const listener = getRequestListener(app.fetch);
  const server = createServer((request, response) => void listener(request, response));
  const port = await listenOnFreePort(server);
  return { port, close: () => closeServer(server) };
}
