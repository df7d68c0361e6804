/**
 * Just enough of the Postgres protocol, version 3, to tell which statement passes (PostgreSQL documentation, "Message
 * Formats"): a type byte, a length that counts itself, a body. Only the first message of a client has no type.
 */

export interface WireMessage {
  /** One letter; empty for a start-up message. */
  readonly type: string;
  readonly body: Buffer;
  /** All of it, as it was sent. */
  readonly bytes: Buffer;
}

/** Cuts a stream into messages; keeps what is not complete yet. */
export function createMessageReader(startsUp: boolean): (chunk: Buffer) => readonly WireMessage[] {
  let rest: Buffer = Buffer.alloc(0);
  let typed = !startsUp;
  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const messages: WireMessage[] = [];
    for (;;) {
      const head = typed ? 1 : 0;
      if (rest.length < head + 4) return messages;
      const size = head + rest.readUInt32BE(head);
      if (rest.length < size) return messages;
      const bytes = rest.subarray(0, size);
      messages.push({ type: typed ? bytes.toString("latin1", 0, 1) : "", body: bytes.subarray(head + 4), bytes });
      rest = rest.subarray(size);
      typed = true;
    }
  };
}

/** Tells the SQL text of whatever a client's message executes; `undefined`: it executes nothing. */
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

/** Whether a server says here that it is done with everything that it was sent, and that no transaction is open. */
export function saysDone({ type, body }: WireMessage): boolean {
  return type === "Z" && body.toString("latin1") === "I";
}

/** Of an error that a server answers; `undefined`: it is none. */
export function sqlStateOf({ type, body }: WireMessage): string | undefined {
  if (type !== "E") return undefined;
  for (let at = 0; at < body.length && body[at] !== 0;) {
    const text = textAt(body, at + 1);
    if (body.toString("latin1", at, at + 1) === "C") return text;
    at += 1 + Buffer.byteLength(text) + 1;
  }
  return undefined;
}

/** A text that ends with a zero byte. */
function textAt(body: Buffer, start: number): string {
  const end = body.indexOf(0, start);
  return body.toString("utf8", start, end === -1 ? body.length : end);
}
