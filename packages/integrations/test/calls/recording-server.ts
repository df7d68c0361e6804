import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface Recorded {
  readonly method: string;
  /** Unchanged from the request line. */
  readonly target: string;
  readonly path: string;
  readonly query: readonly (readonly [name: string, value: string])[];
  /** Lower-case names, with repetitions. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Uint8Array;
}

/** A server on loopback that records requests in their form on the wire. */
export interface RecordingServer {
  readonly origin: string;
  readonly requests: Recorded[];
  /** Sets the next responses, in order. The last one repeats. */
  answers: readonly Answer[];
  /** The only request since the previous call. */
  last(): Recorded;
  close(): Promise<void>;
}

export async function recordingServer(): Promise<RecordingServer> {
  const requests: Recorded[] = [];
  const recording: RecordingServer = {
    get origin() {
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    },
    requests,
    answers: [{ status: 200 }],
    last() {
      const [request, ...more] = requests.splice(0);
      if (request === undefined || more.length > 0) throw new Error(`${more.length + 1} requests came, or none.`);
      return request;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  const server = createServer((request, response) => void answer(recording, request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return recording;
}

async function answer(recording: RecordingServer, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const target = request.url ?? "";
  const url = new URL(target, "http://unused.invalid");
  const { rawHeaders } = request;
  recording.requests.push({
    method: request.method ?? "",
    target,
    path: url.pathname,
    query: [...url.searchParams],
    headers: rawHeaders.flatMap((name, index) =>
      index % 2 === 0 ? [[name.toLowerCase(), rawHeaders[index + 1] ?? ""] as const] : [],
    ),
    body: Buffer.concat(chunks),
  });
  const [next, ...later] = recording.answers;
  if (later.length > 0) recording.answers = later;
  response.writeHead(next?.status ?? 200, next?.headers as Record<string, string>);
  response.end(next?.body);
}

/** All values of a header, in the order in which they were sent. */
export function headerOf({ headers }: Recorded, name: string): readonly string[] {
  return headers.filter(([one]) => one === name).map(([, value]) => value);
}
