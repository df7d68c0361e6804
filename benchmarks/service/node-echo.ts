/** The maximum throughput of node:http: reads a body, parses it, and sends it back. */
import { createServer } from "node:http";
import { closeServer, listenOnFreePort } from "./loopback.ts";
import { echoTarget } from "./echo-target.ts";
import type { Subject } from "./subject.ts";

export const nodeEcho: Subject = {
  async listen() {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request
        .on("data", (chunk: Buffer) => chunks.push(chunk))
        .on("end", () => {
          const text = JSON.stringify(JSON.parse(Buffer.concat(chunks).toString()));
          response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(text) });
          response.end(text);
        });
    });
    const port = await listenOnFreePort(server);
    return { target: echoTarget(port), close: () => closeServer(server) };
  },
};
