import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { oldSignatureHeader, signatureHeader, verifyWebhook, type WebhookEvent } from "@procedo/webhooks";

/** A request that arrived in full. */
export interface Arrival {
  /** Its path, which is unique to its webhook. */
  readonly path: string;
  readonly body: string;
  /** Every header, but the signatures. */
  readonly headers: string;
  /** The event, if its signature is valid for its path. */
  readonly event: WebhookEvent | undefined;
  /** The reason why it was not verified. */
  readonly refused: string | undefined;
  /** The status of the answer. */
  readonly status: number;
}

/** A customer's receiver of webhooks, which verifies and keeps all requests. */
export interface Receiver {
  readonly url: string;
  readonly arrivals: readonly Arrival[];
  /** Sets the secret of a path, by which its requests are verified from then on. */
  trust(path: string, secret: string): void;
  /** Sets the function that returns the status for each arrival. @defaultValue always 200 */
  answerWith(status: () => number): void;
  /** Calls back once, when the next request has arrived or when it has been answered. */
  onNext(moment: "arrived" | "answered", callback: () => void): void;
  close(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const arrivals: Arrival[] = [];
  const secrets = new Map<string, string>();
  const waiting = { arrived: [] as (() => void)[], answered: [] as (() => void)[] };
  let statusOf = (): number => 200;
  const tell = (moment: "arrived" | "answered"): void => {
    for (const callback of waiting[moment].splice(0)) callback();
  };
  const server = createServer((request, response) => {
    void (async () => {
      const body = await bodyOf(request);
      if (body === undefined) return;
      const path = request.url ?? "";
      const status = statusOf();
      arrivals.push({ path, body, status, ...shownHeaders(request), ...judge(request, body, secrets.get(path)) });
      tell("arrived");
      response.writeHead(status).end(() => tell("answered"));
    })();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The receiver has no port.");
  return {
    url: `http://127.0.0.1:${address.port}`,
    arrivals,
    trust: (path, secret) => void secrets.set(path, secret),
    answerWith: (status) => {
      statusOf = status;
    },
    onNext: (moment, callback) => void waiting[moment].push(callback),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** `undefined` if the sender died during the request. */
async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request) chunks.push(chunk as Buffer);
  } catch {
    return undefined;
  }
  return Buffer.concat(chunks).toString("utf8");
}

function judge(request: IncomingMessage, body: string, secret: string | undefined): Pick<Arrival, "event" | "refused"> {
  if (secret === undefined) return { event: undefined, refused: "its path belongs to no webhook" };
  const signature = request.headers[signatureHeader.toLowerCase()];
  try {
    return { event: verifyWebhook({ body, signature, secret }), refused: undefined };
  } catch (error) {
    return { event: undefined, refused: error instanceof Error ? error.message : String(error) };
  }
}

function shownHeaders({ rawHeaders }: IncomingMessage): Pick<Arrival, "headers"> {
  const signatures = [signatureHeader, oldSignatureHeader].map((name) => name.toLowerCase());
  const lines = rawHeaders.flatMap((name, index) => {
    if (index % 2 !== 0 || signatures.includes(name.toLowerCase())) return [];
    return [`${name}: ${rawHeaders[index + 1] ?? ""}`];
  });
  return { headers: lines.join("\n") };
}
