/**
 * The crash driver: a real process with the real engine on a SQLite file is killed and restarted, with the ledger as
 * the oracle. Its parts, in the order in which a kill reaches them:
 *
 * - `node-process.ts` the process that is killed, `node.ts` its handle in the parent, `protocol.ts` their messages
 * - `failpoints.ts` the points of the kills; `failing-storage.ts`, `failing-database.ts`, `bank-integration.ts` reach them
 * - `world.ts` a database, a ledger and the acknowledged requests; `drive.ts` the load on it
 * - `evidence.ts` the state afterwards, `checks/` the invariants, `judge.ts` all of them
 * - `failpoint-kills.ts`, `random-kills.ts`, `double-crashes.ts`, `decision-kills.ts`, `torn-wal.ts`,
 *   `every-connection.ts` the groups; `../triggers` the one of triggers
 */
import type { ProofGroup } from "../proof-group.ts";
import { triggerKills } from "../triggers/trigger-kills.ts";
import { decisionKills } from "./decision-kills.ts";
import { doubleCrashes } from "./double-crashes.ts";
import { everyConnection } from "./every-connection.ts";
import { failpointKills } from "./failpoint-kills.ts";
import { randomKills } from "./random-kills.ts";
import { tornWal } from "./torn-wal.ts";

/** The groups of crash proofs, in the order of their length. */
export const crashGroups: readonly ProofGroup[] = [
  everyConnection,
  decisionKills,
  doubleCrashes,
  triggerKills,
  randomKills,
  failpointKills,
];

/** The effect of a torn disk write on the log. */
export const tornWriteGroups: readonly ProofGroup[] = [tornWal];
