import { signatureHeader, signWebhook } from "@procedo/webhooks";
import { paymentInput } from "../payment.ts";
import { LOOPBACK } from "./loopback.ts";
import { SIGNING_SECRET, type Target } from "./subject.ts";

/** The content of requests: the start of a run, or a webhook delivery about an ended run. */
export type BodyKind = "run" | "sync run" | "delivery";

/** Bodies are created before the loop, and repeat after this number. */
const BODIES = 512;

/**
 * The text of the `n`th request, each with a different idempotency key. All subjects receive the same bodies, with a
 * signature if they check one.
 */
export function createRequests(target: Target, kind: BodyKind): (n: number) => string {
  const fixed = Object.entries({
    Host: `${LOOPBACK}:${target.port}`,
    "Content-Type": "application/json",
    ...target.headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  const heads = target.paths.map((path) => `POST ${path} HTTP/1.1\r\n${fixed.join("")}`);
  const tails = Array.from({ length: BODIES }, (_, n) => {
    const body = JSON.stringify(bodyOf(kind, n));
    const signature = target.signed ? `${signatureHeader}: ${signWebhook({ body, secret: SIGNING_SECRET })}\r\n` : "";
    return `\r\n${signature}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
  });
  return (n) => `${heads[n % heads.length] ?? ""}Idempotency-Key: order-${n}${tails[n % BODIES] ?? ""}`;
}

function bodyOf(kind: BodyKind, n: number): unknown {
  const data = paymentInput(n);
  switch (kind) {
    case "run":
      return { data };
    case "sync run":
      return { data, control: { executionMode: "sync" } };
    case "delivery":
      return {
        id: "dlv_01jd3q9w8x7y6z5a4b3c2d1e0f",
        event: "run_completed",
        createdAt: "2026-11-20T12:00:00.000Z",
        data: {
          runId: "run_01jd3q9w8x7y6z5a4b3c2d1e0f",
          procedureId: "bench-event",
          environment: "sandbox",
          status: "completed",
          output: { request: data },
        },
      };
  }
}
