/**
 * Proofs over calls of functions in the customer's network: the real client and the real service in processes that are
 * killed, with TLS between them. Each handler records its call in a ledger before any other work.
 *
 * - `service-process.ts`, `client-process.ts` the killed processes, `processes.ts` their handles in the parent, `fast-time.ts` their clock
 * - `front.ts` the proxy of all requests, `world.ts` all of these together, `judge-calls.ts` the invariants
 * - `real-pair.test.ts`, `real-service.ts` the client's own suite with the service itself
 * - `call-faults.ts`, `shared-calls.ts`, `calls-apart.ts` the groups
 */
import type { ProofGroup } from "../proof-group.ts";
import { callFaultGroups } from "./call-faults.ts";
import { callsApart } from "./calls-apart.ts";
import { sharedCalls } from "./shared-calls.ts";

export const privateCallGroups: readonly ProofGroup[] = [...callFaultGroups, sharedCalls, callsApart];
