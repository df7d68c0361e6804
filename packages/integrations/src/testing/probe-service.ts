import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request as it arrived. */
export interface ArrivedRequest {
  /** Method and target. */
  readonly request: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** An answer, or the end of the connection instead of one. */
export type GivenAnswer =
  { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body: string } | "cut";

/** A service on loopback that records requests, and answers as it is told. */
export interface ProbeService {
  readonly origin: string;
  /** Answers the next requests with these, the last one again and again. Returns the requests from now on. */
  answer(answers: readonly GivenAnswer[]): readonly ArrivedRequest[];
  close(): Promise<void>;
}

export async function startProbeService(): Promise<ProbeService> {
  let arrived: ArrivedRequest[] = [];
  let answers: readonly GivenAnswer[] = ["cut"];
  const server = createServer((request, response) => void receive(request, response));

  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks = (await request.toArray()) as Buffer[];
    const given = answers[Math.min(arrived.length, answers.length - 1)] ?? "cut";
    arrived.push({
      request: `${request.method ?? ""} ${request.url ?? ""}`,
      headers: Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)])),
      body: Buffer.concat(chunks).toString("utf8"),
    });
    if (given === "cut") request.socket.destroy();
    else response.writeHead(given.status, { "content-type": "application/json", ...given.headers }).end(given.body);
  };

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answer: (given) => {
      arrived = [];
      answers = given;
      return arrived;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
