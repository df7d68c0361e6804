import type { WireMessage } from "@procedo-testing/postgres";

/*
 * The part of the Postgres protocol, version 3, that recognizes statements (PostgreSQL documentation, "Message
 * Formats").
 */

/** Returns the SQL text that a client's message executes; `undefined` if it executes none. */
export function createStatementReader(): (message: WireMessage) => string | undefined {
  const prepared = new Map<string, string>();
  const portals = new Map<string, string>();
  return ({ type, body }) => {
    switch (type) {
      case "Q":
        return textAt(body, 0);
      case "P": {
        const name = textAt(body, 0);
        prepared.set(name, textAt(body, Buffer.byteLength(name) + 1));
        return undefined;
      }
      case "B": {
        const portal = textAt(body, 0);
        portals.set(portal, prepared.get(textAt(body, Buffer.byteLength(portal) + 1)) ?? "");
        return undefined;
      }
      case "E":
        return portals.get(textAt(body, 0)) ?? "";
      default:
        return undefined;
    }
  };
}

/** Whether the server reports that it has finished all work, and that no transaction is open. */
export function saysDone({ type, body }: WireMessage): boolean {
  return type === "Z" && body.toString("latin1") === "I";
}

/** The SQLSTATE of a server's error message; `undefined` for other messages. */
export function sqlStateOf({ type, body }: WireMessage): string | undefined {
  if (type !== "E") return undefined;
  for (let at = 0; at < body.length && body[at] !== 0;) {
    const text = textAt(body, at + 1);
    if (body.toString("latin1", at, at + 1) === "C") return text;
    at += 1 + Buffer.byteLength(text) + 1;
  }
  return undefined;
}

/** A zero-terminated text. */
function textAt(body: Buffer, start: number): string {
  const end = body.indexOf(0, start);
  return body.toString("utf8", start, end === -1 ? body.length : end);
}
