import { agentGroups } from "./agent/agent-groups.ts";
import { crashGroups, tornWriteGroups } from "./crash/crash-groups.ts";
import { awaitedAnswers } from "./awaited-answers/awaited-answers.ts";
import { accessMutationGroup } from "./mutations/access-mutation-group.ts";
import { agentMutationGroup } from "./mutations/agent-mutation-group.ts";
import { mutationGroup, triggerMutationGroup } from "./mutations/mutation-group.ts";
import { postgresMutationGroup } from "./mutations/postgres-mutation-group.ts";
import { nodeGroups } from "./nodes/node-groups.ts";
import { postgresRaces } from "./postgres-races/postgres-race-group.ts";
import { privateCallGroups } from "./private-calls/private-call-groups.ts";
import type { ProofGroup } from "./proof-group.ts";
import { raceGroups, reviewRaceGroups } from "./races/race-groups.ts";
import { scheduleYear } from "./schedules/schedule-year.ts";
import { idempotencyGroups, serviceGroups } from "./service/service-groups.ts";
import { backtestGroup } from "./simulation/backtest-group.ts";
import { clockJumps } from "./simulation/clock-jumps.ts";
import { simulatedDays } from "./simulation/simulated-days.ts";
import { replayGroup } from "./simulation/replay-group.ts";
import { simulationGroup } from "./simulation/simulation-group.ts";
import { triggerSimulation } from "./simulation/trigger-simulation.ts";
import {
  authorizationGroups,
  damageGroups,
  fuzzGroups,
  limitGroups,
  privateConnectionGroups,
  ssrfGroups,
} from "./suites/suite-groups.ts";

/** A family of groups. */
export interface ProofFamily {
  readonly name: string;
  /** Whether the groups are test suites of the packages, which `pnpm verify` runs as tests. */
  readonly areTests: boolean;
  readonly groups: readonly ProofGroup[];
}

function family(name: string, groups: readonly ProofGroup[]): ProofFamily {
  return { name, areTests: false, groups };
}

function tests(name: string, groups: readonly ProofGroup[]): ProofFamily {
  return { name, areTests: true, groups };
}

/** All families, in the order in which they run. */
export const proofFamilies: readonly ProofFamily[] = [
  family("simulation", [simulationGroup, clockJumps, triggerSimulation, simulatedDays, replayGroup, backtestGroup]),
  family("schedules", [scheduleYear]),
  family("races", [...raceGroups, postgresRaces]),
  family("review-races", reviewRaceGroups),
  family("mutations", [mutationGroup, triggerMutationGroup, postgresMutationGroup, accessMutationGroup]),
  family("crash", crashGroups),
  family("torn-writes", tornWriteGroups),
  family("idempotency", idempotencyGroups),
  family("service", serviceGroups),
  family("nodes", [...nodeGroups, awaitedAnswers]),
  family("private-calls", privateCallGroups),
  family("agent", [...agentGroups, agentMutationGroup]),
  tests("damage", damageGroups),
  tests("fuzz", fuzzGroups),
  tests("limits", limitGroups),
  tests("ssrf", ssrfGroups),
  tests("private-connection", privateConnectionGroups),
  tests("authorization", authorizationGroups),
];

/** The groups to run, by family, by id, or by the first words of an id (`seeded-bugs` for `seeded-bugs-core` and others). */
export interface Choice {
  /** @defaultValue all */
  readonly only?: readonly string[] | undefined;
  /** @defaultValue none; `tests` for the families that are tests */
  readonly without?: readonly string[] | undefined;
}

/** @throws Error if a name matches no group */
export function chooseGroups({ only, without = [] }: Choice, families = proofFamilies): readonly ProofGroup[] {
  const known = families.flatMap((one) => one.groups.map((group) => ({ group, names: namesOf(one, group) })));
  const isNamed = (names: readonly string[], wanted: readonly string[]): boolean =>
    wanted.some((name) => names.includes(name) || names.some((full) => full.startsWith(`${name}-`)));
  for (const name of [...(only ?? []), ...without]) {
    if (known.some(({ names }) => isNamed(names, [name]))) continue;
    const names = [...families.map((one) => one.name), ...known.map(({ group }) => group.id)];
    throw new Error(`No group is named "${name}". Known: ${names.join(", ")}.`);
  }
  return known
    .filter(({ names }) => (only === undefined || isNamed(names, only)) && !isNamed(names, without))
    .map(({ group }) => group);
}

function namesOf({ name, areTests }: ProofFamily, { id }: ProofGroup): readonly string[] {
  return areTests ? [id, name, "tests"] : [id, name];
}
