import { once } from "node:events";
import type { Environment } from "@procedo/contract";
import type { ResolveConnection } from "../connections/resolved-connection.ts";
import type { Egress } from "../egress/egress.ts";
import { guardedConnect } from "../egress/guarded-connect.ts";
import { guardedFetch } from "../egress/guarded-fetch.ts";
import { authorizedFetch } from "../grants/authorized-fetch.ts";
import type { AccountContext } from "../integrations/account-context.ts";
import type { Clock } from "../ports/clock.ts";
import type { InboundService } from "./inbound-service.ts";

export interface AskPorts {
  readonly egress: Pick<Egress, "fetch" | "connect">;
  readonly resolveConnection: ResolveConnection;
  readonly clock: Pick<Clock, "after">;
}

/**
 * Asks the service of a connection for something other than a call, within a time.
 *
 * @param connection - its name
 * @throws Error as `ask`: its message may name a secret
 */
export async function askInboundService<T>(
  { egress, resolveConnection, clock }: AskPorts,
  { settings, secrets, redactor: ofSecrets }: InboundService,
  { environment, connection }: { readonly environment: Environment; readonly connection: string },
  timeoutMs: number,
  ask: (context: AccountContext) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const { signal } = controller;
  const cancel = clock.after(timeoutMs, () => controller.abort(new Error("The service took too long.")));
  // The code of an integration may ignore the signal.
  const aborted = once(signal, "abort").then(() => Promise.reject(signal.reason as Error));
  aborted.catch(() => {});
  try {
    const authorization = (await resolveConnection(environment, connection))?.authorization;
    const guarded = guardedFetch(egress, { signal, timeoutMs });
    const fetch = authorization === undefined ? guarded : authorizedFetch(guarded, authorization);
    const connect = guardedConnect(egress, { signal });
    const redactor = authorization?.redactor ?? ofSecrets;
    const account = authorization?.account;
    const asked = ask({ environment, settings, secrets, account, redactor, fetch, connect, signal });
    return await Promise.race([asked, aborted]);
  } finally {
    cancel();
  }
}
