import { attackChecks, secretFaults, type AttackEvidence } from "./attack-checks.ts";
import type { AttackedRun, HostileWorld } from "./hostile-world.ts";

export function evidenceOf(
  { obedient, services, planted }: HostileWorld,
  runs: readonly AttackedRun[],
): AttackEvidence {
  const tokens = {
    bank: planted.token("the token of bank in sandbox"),
    api: planted.token("the token of api in sandbox"),
  };
  return { runs, obeyed: obedient.obeyed, received: services.received, tokens };
}

/** @param before digest of the published procedures before the attacks */
export async function judgeAttacks(
  world: HostileWorld,
  evidence: AttackEvidence,
  before: string,
): Promise<readonly string[]> {
  return [
    ...attackChecks.flatMap((check) => check(evidence)),
    ...secretFaults(evidence, world.planted),
    ...(await outsideFaults(world, before, evidence.runs.length)),
  ];
}

/** State outside the runs: procedures, other runs, and the language itself. */
async function outsideFaults(world: HostileWorld, before: string, started: number): Promise<readonly string[]> {
  const faults: string[] = [];
  if ((await world.published()) !== before) faults.push("A procedure was changed.");
  const { sandbox, live } = await world.runs();
  if (sandbox !== started) faults.push(`${started} runs were started, and there are ${sandbox}.`);
  if (live > 0) faults.push(`${live} runs are in the live environment.`);
  const plain: Readonly<Record<string, unknown>> = {};
  if (plain["vendorId"] !== undefined || plain["branch"] !== undefined)
    faults.push("An attack changed the prototype of all objects.");
  return faults;
}
