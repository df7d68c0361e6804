/**
 * The ceiling of durable acceptance: checks an HMAC, parses, commits in groups (at FULL, or on Postgres), answers 202.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";
import path from "node:path";
import { inThreadWriter, openJournal } from "../ideal-journal.ts";
import { openPostgresJournal } from "../ideal-postgres.ts";
import { closeServer, listenOnFreePort } from "./loopback.ts";
import { SIGNING_SECRET, type Subject } from "./subject.ts";

export const durableTrigger: Subject = {
  async listen({ directory, databaseUrl }) {
    const file = path.join(directory, "trigger.sqlite");
    const writer =
      databaseUrl === undefined ? inThreadWriter(openJournal(file)) : await openPostgresJournal(databaseUrl);
    let last = 0;
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      const answer = (status: number, text: string): void => {
        response.writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(text) });
        response.end(text);
      };
      request
        .on("data", (chunk: Buffer) => chunks.push(chunk))
        .on("end", () => {
          const body = Buffer.concat(chunks);
          if (!isSigned(body, request.headers["x-service-signature"])) return answer(401, '{"error":"unauthorized"}');
          const input = body.toString();
          const { data } = JSON.parse(input) as { readonly data?: unknown };
          if (typeof data !== "object") return answer(400, '{"error":"malformed"}');
          const runId = ++last;
          const durable = writer.append({ runId, seq: 0, node: "start", input, output: "" });
          void durable.then(() => answer(202, JSON.stringify({ runId, status: "running" })));
        });
    });
    const port = await listenOnFreePort(server);
    return {
      database: databaseUrl === undefined ? { kind: "sqlite", file } : { kind: "postgres", url: databaseUrl },
      target: { port, paths: ["/"], headers: {}, signed: true, answer: { status: 202, holds: '"status":"running"' } },
      close: async () => {
        await closeServer(server);
        await writer.close();
      },
    };
  },
};

function isSigned(body: Buffer, header: string | string[] | undefined): boolean {
  const expected = createHmac("sha256", SIGNING_SECRET).update(body).digest();
  const given = Buffer.from(String(header).slice("sha256=".length), "hex");
  return given.length === expected.length && timingSafeEqual(given, expected);
}
