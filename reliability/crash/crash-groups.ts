/**
 * The crash driver: a real process with the real engine on a SQLite file is killed and comes back, with the ledger beside
 * it as the oracle. Its parts, in the order in which a kill passes them:
 *
 * - `node-process.ts` the process that dies, `node.ts` its parent's hold on it, `protocol.ts` what they say
 * - `failpoints.ts` where it dies; `failing-storage.ts`, `failing-database.ts`, `bank-integration.ts` reach the points
 * - `world.ts` a database, a ledger and what was acknowledged; `drive.ts` the load on it
 * - `evidence.ts` what is found afterwards, `checks/` what has to hold, `judge.ts` all of them
 * - `failpoint-kills.ts`, `random-kills.ts`, `double-crashes.ts`, `decision-kills.ts`, `torn-wal.ts`,
 *   `every-connection.ts` the groups
 */
import type { ProofGroup } from "../proof-group.ts";
import { decisionKills } from "./decision-kills.ts";
import { doubleCrashes } from "./double-crashes.ts";
import { everyConnection } from "./every-connection.ts";
import { failpointKills } from "./failpoint-kills.ts";
import { randomKills } from "./random-kills.ts";
import { tornWal } from "./torn-wal.ts";

/** The groups of proofs that crash something, in the order of their length. */
export const crashGroups: readonly ProofGroup[] = [
  everyConnection,
  decisionKills,
  doubleCrashes,
  randomKills,
  failpointKills,
];

/** What a disk makes of writes that were under way. */
export const tornWriteGroups: readonly ProofGroup[] = [tornWal];
