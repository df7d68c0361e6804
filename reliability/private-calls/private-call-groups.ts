/**
 * Proofs over calls of functions in the customer's network: the real client and the real service, each in processes of its own that
 * are killed, with TLS between them and a ledger that each handler writes before it does anything.
 *
 * - `service-process.ts`, `client-process.ts` what is killed, `processes.ts` its parent's hold on it, `fast-time.ts` its clock
 * - `front.ts` where all requests pass, `world.ts` all of these together, `judge-calls.ts` what has to hold
 * - `real-pair.test.ts`, `real-service.ts` the client's own suite with the service itself
 * - `call-faults.ts`, `shared-calls.ts`, `calls-apart.ts` the groups
 */
import type { ProofGroup } from "../proof-group.ts";
import { callFaultGroups } from "./call-faults.ts";
import { callsApart } from "./calls-apart.ts";
import { sharedCalls } from "./shared-calls.ts";

export const privateCallGroups: readonly ProofGroup[] = [...callFaultGroups, sharedCalls, callsApart];
