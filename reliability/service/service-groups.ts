/**
 * Proofs over the whole service: the real server in its own process, reached by HTTP only, with a ledger and a receiver
 * of webhooks as the oracles.
 *
 * - `service-process.ts` the process, `service-node.ts` its handle in the parent, `../clock-ahead.ts` its clock
 * - `service-world.ts` a data folder with its processes, keys, ledger and receiver; `receiver.ts`, `call-service.ts`
 * - `http-node.ts` the process under the crash driver, which drives and judges it like the bare engine
 * - `service-judge.ts`, `announced-ends.ts`, `judge-receipts.ts` further invariants
 * - `service-kills.ts` with `application-load.ts`, `one-key.ts`, `environments-apart.ts`, `faulty-disk.ts`, and
 *   `followed-changes.ts` with `following-page.ts`, and `change-mutation-group.ts` with `change-mutations.ts` and
 *   `mutated-service.ts`, `secrets-group.ts` with `planted-secrets.ts`, `leak-scenario.ts`, `leaky-integration.ts`, `canary-forms.ts`: the groups
 */
import type { ProofGroup } from "../proof-group.ts";
import { environmentsApart } from "./environments-apart.ts";
import { changeMutationGroup } from "./change-mutation-group.ts";
import { faultyDisk } from "./faulty-disk.ts";
import { followedChanges } from "./followed-changes.ts";
import { oneKey } from "./one-key.ts";
import { plantedSecrets } from "./secrets-group.ts";
import { serviceKills } from "./service-kills.ts";

export const serviceGroups: readonly ProofGroup[] = [
  environmentsApart,
  plantedSecrets,
  faultyDisk,
  serviceKills,
  followedChanges,
  changeMutationGroup,
];

export const idempotencyGroups: readonly ProofGroup[] = [oneKey];
