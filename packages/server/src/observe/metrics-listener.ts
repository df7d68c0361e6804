import { createHash, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { ProcedoError } from "@procedo/contract";
import type { MetricsAddress } from "../settings/settings.ts";
import type { ServerLog } from "./log.ts";
import type { Metrics } from "./metrics.ts";

/**
 * Answers `GET /metrics` with the counts of both environments.
 *
 * @param token required in each request; omitted where the operator has set a separate address
 */
export function metricsListener(metrics: Metrics, log: ServerLog, token?: string): RequestListener {
  const isAllowed = token === undefined ? () => true : bearerOf(token);
  return (request, response) => {
    request.resume();
    if (request.url !== "/metrics" || (request.method !== "GET" && request.method !== "HEAD")) {
      response.writeHead(request.url === "/metrics" ? 405 : 404).end();
      return;
    }
    if (!isAllowed(request.headers.authorization)) {
      response.writeHead(401, { "WWW-Authenticate": "Bearer" }).end();
      return;
    }
    metrics.text().then(
      (text) => response.writeHead(200, { "Content-Type": metrics.contentType }).end(text),
      (error: unknown) => {
        log.error("Metrics could not be read.", { code: ProcedoError.isError(error) ? error.code : "internal" });
        response.writeHead(503).end();
      },
    );
  };
}

/** Compares digests, so that the duration reveals neither the token nor its length. */
function bearerOf(token: string): (authorization: string | undefined) => boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  const expected = digest(token);
  return (authorization = "") => {
    const given = /^bearer +(.*)$/i.exec(authorization)?.[1];
    return given !== undefined && timingSafeEqual(digest(given), expected);
  };
}

/** Timeouts for a request's headers and for the whole request, in milliseconds. */
const requestTimeoutMs = 10_000;
const maxConnections = 100;

/**
 * Serves `/metrics` on a separate address.
 *
 * @throws ProcedoError `invalid_configuration` when the server cannot listen on the address
 */
export async function serveMetrics(
  { host, port }: MetricsAddress,
  listener: RequestListener,
): Promise<{ readonly port: number; close(): Promise<void> }> {
  const server = createServer({ headersTimeout: requestTimeoutMs, requestTimeout: requestTimeoutMs }, listener);
  server.maxConnections = maxConnections;
  server.listen(port, host);
  try {
    await once(server, "listening");
  } catch (cause) {
    const reason = cause instanceof Error && "code" in cause ? String(cause.code) : String(cause);
    const message = `Metrics cannot be served on ${host}, port ${port} (${reason}). Set another PROCEDO_METRICS_ADDRESS.`;
    throw new ProcedoError("invalid_configuration", message, { cause });
  }
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
