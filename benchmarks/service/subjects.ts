import type { Subject } from "./subject.ts";

/** A process loads only its own subject, because the others' code would count in its memory. */
const LOADERS: Readonly<Record<string, () => Promise<Subject>>> = {
  "node-echo": async () => (await import("./node-echo.ts")).nodeEcho,
  "hono-echo": async () => (await import("./hono-echo.ts")).honoEcho,
  "durable-trigger": async () => (await import("./durable-trigger.ts")).durableTrigger,
  "procedo-http": async () => (await import("./procedo-http.ts")).procedoHttp,
  "procedo-accept": async () => (await import("./procedo-http.ts")).procedoAccept,
  "procedo-server-accept": async () => (await import("./procedo-server.ts")).procedoServerAccept,
  "procedo-inbound": async () => (await import("./procedo-inbound.ts")).procedoInbound,
  "procedo-server-inbound": async () => (await import("./procedo-inbound.ts")).procedoServerInbound,
  "procedo-server": async () => (await import("./procedo-server.ts")).procedoServer,
};

/** @throws Error if no subject has that name */
export async function loadSubject(name: string): Promise<Subject> {
  const load = LOADERS[name];
  if (load === undefined)
    throw new Error(`No subject is named "${name}"; there are ${Object.keys(LOADERS).join(", ")}.`);
  return load();
}
