import type { Egress } from "./egress.ts";
import type { EgressConnect, GuardedConnection } from "./open-connection.ts";

/** Opens connections to allowed addresses only, for a call or another request. They belong to the caller. */
export type GuardedConnect = (destination: Pick<EgressConnect, "host" | "port">) => Promise<GuardedConnection>;

/** The guarded client as a function that opens connections. `signal` gives up an attempt. */
export function guardedConnect(
  egress: Pick<Egress, "connect">,
  defaults: Pick<EgressConnect, "signal" | "beforeSend"> = {},
): GuardedConnect {
  return ({ host, port }) => egress.connect({ ...defaults, host, port });
}
