/**
 * Several processes with the real engine on one real Postgres, and everything between them that may break; with the
 * ledger beside them as the oracle. Its parts, in the order in which a request passes them:
 *
 * - `cluster.ts` an application that asks any of them, and asks again; `clients.ts` several that look at the same runs
 * - `member.ts` the parent's hold on a process, `member-protocol.ts` what they say, `member-process.ts` the process
 * - `tcp-proxy.ts` the network before the database, `postgres-wire.ts` what it understands; `breaking-pool.ts` transactions
 *   that Postgres breaks off
 * - `postgres-world.ts` a database, a ledger, processes, and what was acknowledged; `load.ts` the load on them
 * - `read-postgres.ts` what is found afterwards, for the checks of `../crash`; `take-over.ts`, `history-checker.ts` what
 *   else is judged
 * - one file for each group; `node-mutations.ts` the bugs that they have to find, and the version after this one
 */
import type { ProofGroup } from "../proof-group.ts";
import { cutConnections } from "./cut-connections.ts";
import { decisionStorms } from "./decision-storms.ts";
import { failovers } from "./failovers.ts";
import { linearizable } from "./linearizable.ts";
import { lostCommits } from "./lost-commits.ts";
import { memberKills } from "./member-kills.ts";
import { nodeMutationGroup } from "./node-mutation-group.ts";
import { partitions } from "./partitions.ts";
import { rollingUpgrade } from "./rolling-upgrade.ts";
import { serverStops } from "./server-stops.ts";
import { transactionErrors } from "./transaction-errors.ts";
import { zombies } from "./zombies.ts";

/** The groups of proofs with several nodes on Postgres. */
export const nodeGroups: readonly ProofGroup[] = [
  decisionStorms,
  serverStops,
  memberKills,
  zombies,
  cutConnections,
  lostCommits,
  failovers,
  partitions,
  transactionErrors,
  rollingUpgrade,
  linearizable,
  nodeMutationGroup,
];
