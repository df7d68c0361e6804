/* Server-sent events as text. Unlike EventSource, a reader of the text sees the status of an answer, and heartbeats. */

/** A block of a stream. One that has only an `id` states the reader's place. */
export interface StreamedEvent {
  readonly id?: string;
  readonly event?: string;
  readonly data?: string;
}

/** Splits a stream into its events. The returned function takes the next piece, which may end anywhere. */
export function createEventReader(onEvent: (event: StreamedEvent) => void): (piece: string) => void {
  let rest = "";
  return (piece) => {
    const blocks = (rest + piece.replaceAll("\r", "")).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const event = eventOf(block);
      if (event !== undefined) onEvent(event);
    }
  };
}

/** The event of a block; `undefined` for a heartbeat. */
function eventOf(block: string): StreamedEvent | undefined {
  const fields = new Map<string, string>();
  for (const line of block.split("\n")) {
    const at = line.indexOf(":");
    if (at <= 0) continue;
    const [name, value] = [line.slice(0, at), line.slice(at + 1).replace(/^ /, "")];
    const before = fields.get(name);
    fields.set(name, before === undefined || name !== "data" ? value : `${before}\n${value}`);
  }
  const [id, event, data] = [fields.get("id"), fields.get("event"), fields.get("data")];
  if (id === undefined && event === undefined && data === undefined) return undefined;
  return {
    ...(id !== undefined && { id }),
    ...(event !== undefined && { event }),
    ...(data !== undefined && { data }),
  };
}
