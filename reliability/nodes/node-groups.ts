/**
 * Several processes with the real engine on one real Postgres, and faults of everything between them; the ledger is the
 * oracle. Its parts, in the order in which a request passes them:
 *
 * - `cluster.ts` an application that sends and repeats requests to any of them; `clients.ts` several that read the same runs
 * - `member.ts` the parent's handle of a process, `member-protocol.ts` their messages, `member-process.ts` the process
 * - `tcp-proxy.ts` the network before the database, `postgres-wire.ts` its reader of messages; `breaking-pool.ts` transactions that Postgres aborts
 * - `postgres-world.ts` a database, a ledger, processes and acknowledgements; `load.ts` the load on them
 * - `read-postgres.ts` the state afterwards, for the checks of `../crash`; `take-over.ts`, `history-checker.ts` further checks
 * - one file for each group; `node-mutations.ts` the bugs that they have to find, and the next version
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
import { triggerNodes } from "./trigger-nodes.ts";
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
  triggerNodes,
  nodeMutationGroup,
];
