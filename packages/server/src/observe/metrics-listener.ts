import type { RequestListener } from "node:http";
import { ProcedoError } from "@procedo/contract";
import type { ServerLog } from "./log.ts";
import type { Metrics } from "./metrics.ts";

/** Answers `GET /metrics`, without a key: who reaches it is the operator's to decide. */
export function metricsListener(metrics: Metrics, log: ServerLog): RequestListener {
  return (request, response) => {
    request.resume();
    if (request.url !== "/metrics" || (request.method !== "GET" && request.method !== "HEAD")) {
      response.writeHead(request.url === "/metrics" ? 405 : 404).end();
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
