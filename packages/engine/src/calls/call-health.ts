import type { CallWatch } from "../connections/resolved-connection.ts";
import { ActionError } from "../integrations/action-error.ts";
import { EgressError, type EgressFailure } from "../egress/egress-error.ts";
import { causes } from "./failure.ts";

/** Nobody was reached: whatever the call was about, the next one will fare no better. */
const unreachable: ReadonlySet<EgressFailure> = new Set(["destination", "dns", "connect", "tls"]);

/** Tells how a connection fared in a call that failed, as far as the failure says something of that. */
export function tellFailure(watch: CallWatch, error: unknown): void {
  for (const cause of causes(error)) {
    if (cause instanceof EgressError && unreachable.has(cause.failure)) {
      watch.failed(cause.message);
      return;
    }
    const status = cause instanceof ActionError ? cause.exchange?.response?.status : undefined;
    if (status === 401 || status === 403) {
      watch.failed(`The last call was answered ${status}: the credentials were not taken.`);
      return;
    }
    if (status !== undefined && status < 500) {
      watch.answered();
      return;
    }
  }
}
