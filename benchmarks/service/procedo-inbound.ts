/**
 * Procedo's inbound addresses: signed requests of another service, whose events are durable when they are answered, and
 * whose runs a worker elsewhere starts. One variant is the engine in an embedding application, the other the service.
 */
import { createEngine, defineIntegration, isSignature, type Engine } from "@procedo/engine";
import { createHttp, serveNode } from "@procedo/http";
import { readSettings, startServer } from "@procedo/server";
import { signatureHeader } from "@procedo/webhooks";
import path from "node:path";
import * as z from "zod";
import { instantTools } from "../payment.ts";
import { w1Document } from "../procedo-documents.ts";
import { integrationOf } from "../procedo.ts";
import { openStorage } from "../procedo-storage.ts";
import { LOOPBACK } from "./loopback.ts";
import { SIGNING_SECRET, type Subject, type SubjectOptions, type Target } from "./subject.ts";

/**
 * Each address has its trigger. There are many, because an address takes 100 requests a second, and because the events of
 * a trigger stop at its greatest backlog while no worker starts runs.
 */
const addresses = 256;
const environment = "sandbox";
const by = { person: "alice" };
const eventType = "order.placed";

/** Requests have the same bodies as for the other subjects: their id is in a header. */
const orders = defineIntegration({
  name: "orders",
  secrets: z.object({ signingSecret: z.string() }),
  actions: {},
  inbound: {
    events: [{ type: eventType, title: "Order placed", sample: {} }],
    verify({ header, body, secrets }) {
      const [signature = "", ...more] = header(signatureHeader);
      const [prefix, hex] = [signature.slice(0, 7), signature.slice(7)];
      return more.length === 0 && prefix === "sha256=" && isSignature(hex, [body], { secret: secrets.signingSecret });
    },
    parse({ header, json }) {
      const [id = ""] = header("Idempotency-Key");
      return [{ id, type: eventType, occurredAtMs: undefined, event: json() }];
    },
  },
});

export const procedoInbound: Subject = {
  async listen(options) {
    const { storage, database } = await openStorage(options);
    const engine = createEngine({
      storage,
      integrations: [integrationOf(instantTools), orders],
      masterKey: new Uint8Array(32).fill(7),
      log: { info: () => {}, warn: console.warn, error: console.error },
    });
    const base = `http://${LOOPBACK}`;
    const listener = await serveNode(createHttp({ engine, runnerUrl: base, appUrl: base }), { port: 0 });
    return {
      database,
      target: await inboundTarget(engine, listener.port),
      close: async () => {
        await listener.close({ drainMs: 0 });
        await engine.stop();
        await storage.close();
      },
    };
  },
};

export const procedoServerInbound: Subject = {
  async listen({ directory, databaseUrl }: SubjectOptions) {
    const server = await startServer({
      settings: readSettings({
        PORT: "0",
        PROCEDO_ROLE: "http",
        PROCEDO_DATA_DIR: directory,
        ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
      }),
      integrations: [integrationOf(instantTools), orders],
    });
    const file = path.join(directory, "procedo.sqlite");
    return {
      target: await inboundTarget(server.engine, server.port),
      database: databaseUrl === undefined ? { kind: "sqlite", file } : { kind: "postgres", url: databaseUrl },
      close: () => server.stop(),
    };
  },
};

/** Publishes W1, and creates the connections with their triggers. */
async function inboundTarget(engine: Engine, port: number): Promise<Target> {
  const { procedureId } = w1Document;
  await engine.procedures.publish({ document: w1Document, version: "v1", defaultIn: [environment], by });
  const secrets = { signingSecret: SIGNING_SECRET };
  const paths: string[] = [];
  for (let n = 0; n < addresses; n++) {
    const name = `orders ${n}`;
    const { inbound } = await engine.connections.create({ name, integration: "orders", environment, secrets, by });
    const source = { kind: "integration" as const, connection: name, events: [eventType] };
    await engine.triggers.create({ name, procedureId, environment, source, input: mapped, by });
    paths.push(`/in/v1/${inbound?.address ?? ""}`);
  }
  return { port, paths, headers: {}, signed: true, answer: { status: 200, holds: "" } };
}

const mapped = Object.fromEntries(
  ["vendorId", "amount", "currency", "invoice", "remittance", "costCentre"].map((field) => {
    return [field, `{{ event.data.${field} }}`];
  }),
);
