import type { Engine } from "@procedo/engine";
import type { AccessPorts } from "../access/authenticate.ts";
import type { WithBody } from "./with-body.ts";

/** The ports that operations with different access share. */
export interface OperationPorts {
  readonly engine: Engine;
  readonly access: AccessPorts;
  /** Counts a request of a key, person or token. @throws ProcedoError `rate_limited` */
  readonly countRequest: (key: string) => void;
  readonly withBody: WithBody;
}
