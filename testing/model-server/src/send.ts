import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { JsonObject } from "./answers.ts";

/** An answer in the format of its interface. */
export type Spoken =
  | { readonly whole: JsonObject }
  | {
      /** The reply itself. */
      readonly events: readonly string[];
      /** Events that mark the reply as complete. */
      readonly ending: readonly string[];
      /** Events that report a failure instead. */
      readonly failing: (status: number, message: string, code?: string) => readonly string[];
    };

/** The way in which the sending of an answer ends. */
export type Fate = "sent" | "cut" | "ends_early" | "stalls" | { readonly fails: readonly string[] };

/** Sends an answer. Resolves after the last byte. */
export async function send(response: ServerResponse, spoken: Spoken, fate: Fate): Promise<void> {
  if ("whole" in spoken) return await sendWhole(response, JSON.stringify(spoken.whole), fate);
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" });
  const { events, ending } = spoken;
  // A broken-off answer sends about half of its events.
  const part = events.slice(0, Math.ceil(events.length / 2));
  if (fate === "sent") return await write(response, [...events, ...ending], "end");
  if (fate === "cut") return await write(response, part, "destroy");
  if (fate === "ends_early") return await write(response, part, "end");
  if (fate === "stalls") return await write(response, part, "leave");
  return await write(response, [...part, ...fate.fails], "end");
}

/** Sends an answer with a status and a body. */
export function sendBody(
  response: ServerResponse,
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(body);
}

async function sendWhole(response: ServerResponse, body: string, fate: Fate): Promise<void> {
  if (fate === "sent") return sendBody(response, 200, body);
  response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(body) });
  return await write(response, [body.slice(0, body.length / 2)], fate === "stalls" ? "leave" : "destroy");
}

async function write(
  response: ServerResponse,
  parts: readonly string[],
  then: "end" | "destroy" | "leave",
): Promise<void> {
  for (const part of parts) {
    if (response.destroyed) return;
    if (!response.write(part)) await roomIn(response);
  }
  if (then === "end") response.end();
  // Flushes the written data before the connection is destroyed.
  if (then === "destroy") response.write("", () => response.destroy());
}

/** Resolves when the client has read more data, or has disconnected. */
async function roomIn(response: ServerResponse): Promise<void> {
  const over = new AbortController();
  const { signal } = over;
  await Promise.race([once(response, "drain", { signal }), once(response, "close", { signal })]).finally(() =>
    over.abort(),
  );
}
