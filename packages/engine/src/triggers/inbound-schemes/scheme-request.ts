/** The parts of a request that a scheme reads. */
export interface SchemeRequest {
  /** The lines of a header by its name in any case; empty without it. */
  readonly header: (name: string) => readonly string[];
  readonly body: Uint8Array;
  readonly nowMs: number;
}

/** A request that proved its origin. */
export interface Verified {
  /** The time that its signature covers, in milliseconds since the epoch; `undefined` if it covers none. */
  readonly signedAtMs: number | undefined;
}

/** The value of a header that was sent once. Two lines are refused, because it is open which of them counts. */
export function onlyLine(request: Pick<SchemeRequest, "header">, name: string): string | undefined {
  const lines = request.header(name);
  return lines.length === 1 ? lines[0] : undefined;
}
