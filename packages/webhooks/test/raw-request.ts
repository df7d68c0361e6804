import { once } from "node:events";
import { connect } from "node:net";

/** A request byte for byte, because an HTTP client would normalize it. */
export interface RawRequest {
  readonly method?: string;
  readonly path?: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Sent one after another, each in a separate packet. */
  readonly pieces: readonly (string | Uint8Array)[];
}

/** The status and the complete answer of a server on this machine. */
export async function sendRaw(
  port: number,
  { method = "POST", path = "/webhooks", headers, pieces }: RawRequest,
): Promise<{ readonly status: number; readonly text: string }> {
  const socket = connect({ host: "127.0.0.1", port, noDelay: true });
  const answer: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => answer.push(chunk));
  // A server that refuses an incomplete body resets the connection after its answer.
  socket.on("error", () => undefined);
  const closed = once(socket, "close");
  await once(socket, "connect");
  const lines = [
    `${method} ${path} HTTP/1.1`,
    "Host: localhost",
    ...headers.map(([name, value]) => `${name}: ${value}`),
  ];
  for (const piece of [`${lines.join("\r\n")}\r\nConnection: close\r\n\r\n`, ...pieces]) {
    await new Promise((written) => socket.write(piece, written));
    await new Promise((turn) => setImmediate(turn));
  }
  await closed;
  const text = Buffer.concat(answer).toString();
  return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1]), text };
}

/** Parts of a chunked body, one chunk each. */
export function chunked(pieces: readonly Uint8Array[]): readonly Uint8Array[] {
  return [
    ...pieces.map((piece) =>
      Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from("\r\n")]),
    ),
    Buffer.from("0\r\n\r\n"),
  ];
}

/** Parts of this many bytes, which split characters of several bytes. */
export function split(bytes: Uint8Array, length: number): readonly Uint8Array[] {
  return Array.from({ length: Math.ceil(bytes.length / length) }, (_, index) =>
    bytes.subarray(index * length, (index + 1) * length),
  );
}
