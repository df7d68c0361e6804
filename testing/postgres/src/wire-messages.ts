/**
 * Messages of the Postgres protocol, version 3 (PostgreSQL documentation, "Message Formats"): a type byte, a length
 * that includes itself, a body. The first message of a client has no type byte.
 */
export interface WireMessage {
  /** Type letter; empty for a start-up message. */
  readonly type: string;
  readonly body: Buffer;
  /** The complete message as sent. */
  readonly bytes: Buffer;
}

/** Splits a stream into messages, and keeps an incomplete one for the next part. */
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
