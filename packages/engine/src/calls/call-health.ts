import type { HealthReport } from "../connections/resolved-connection.ts";
import { ActionError } from "../integrations/action-error.ts";
import { EgressError, type EgressFailure } from "../egress/egress-error.ts";
import { causes } from "./failure.ts";

/** Failures to reach the service, which concern any call. */
const unreachable: ReadonlySet<EgressFailure> = new Set(["destination", "dns", "connect", "tls"]);

/** Answers about the credentials: of HTTP, and 535 of SMTP (RFC 4954). */
const credentialsRefused: ReadonlySet<number> = new Set([401, 403, 535]);

/** Reports the health of a connection after a failed call, if the failure reveals it. */
export function reportFailure(health: HealthReport, error: unknown): void {
  for (const cause of causes(error)) {
    if (cause instanceof EgressError && unreachable.has(cause.failure)) {
      health.failed(cause.message);
      return;
    }
    const status = cause instanceof ActionError ? cause.exchange?.response?.status : undefined;
    if (status !== undefined && credentialsRefused.has(status)) {
      health.failed(`The last call was answered ${status}: the credentials were not accepted.`);
      return;
    }
    if (status !== undefined && status < 500) {
      health.answered();
      return;
    }
  }
}
