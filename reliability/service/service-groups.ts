/**
 * Proofs over the whole service: the real server in a process of its own, reached by HTTP only, with a ledger and a receiver of
 * webhooks as the two who know what really happened.
 *
 * - `service-process.ts` the process, `service-node.ts` its parent's hold on it, `../clock-ahead.ts` its clock
 * - `service-world.ts` a data folder with its processes, keys, ledger and receiver; `receiver.ts`, `call-service.ts`
 * - `http-node.ts` the process in the hands of the crash driver, which drives it and judges it as it does the bare engine
 * - `service-judge.ts`, `told-endings.ts`, `judge-receipts.ts` what has to hold besides
 * - `service-kills.ts` with `application-load.ts`, `one-key.ts`, `environments-apart.ts`, `faulty-disk.ts`, and
 *   `secrets-group.ts` with `planted-secrets.ts`, `leak-scenario.ts`, `leaky-integration.ts`, `canary-forms.ts`: the groups
 */
import type { ProofGroup } from "../proof-group.ts";
import { environmentsApart } from "./environments-apart.ts";
import { faultyDisk } from "./faulty-disk.ts";
import { oneKey } from "./one-key.ts";
import { plantedSecrets } from "./secrets-group.ts";
import { serviceKills } from "./service-kills.ts";

export const serviceGroups: readonly ProofGroup[] = [environmentsApart, plantedSecrets, faultyDisk, serviceKills];

export const idempotencyGroups: readonly ProofGroup[] = [oneKey];
