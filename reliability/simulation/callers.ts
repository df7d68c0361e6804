import type { SeededRandom } from "@procedo-testing/faults";
import { ProcedoError } from "@procedo/engine";
import type { Environment } from "@procedo/contract";
import type { Cluster, Member } from "./cluster.ts";
import { keysMayHaveExpired, type AcknowledgedStart, type History, type InvariantName } from "./history.ts";
import type { SimulationOptions } from "./options.ts";
import { maxAmount, starter } from "./random-procedure.ts";
import type { World } from "./world.ts";

export interface CallerPorts {
  readonly world: World;
  readonly random: SeededRandom;
  readonly history: History;
  readonly cluster: Cluster;
  readonly options: SimulationOptions;
  readonly violate: (invariant: InvariantName, text: string) => void;
}

/** Applications that start runs, repeat unanswered requests, and sometimes cancel. */
export interface Callers {
  begin(procedureIds: readonly string[]): void;
}

const patienceMs = 4_000;
const tries = 6;

export function createCallers(ports: CallerPorts): Callers {
  const { world, random, history, cluster, options } = ports;

  const start = (number: number, procedureIds: readonly string[]): void => {
    const procedureId = random.pick(procedureIds);
    const environment: Environment = random.chance(0.8) ? "live" : "sandbox";
    const data = { amount: random.between(0, maxAmount), marker: `start-${number}` };
    const idempotencyKey = random.chance(0.7) ? `key-${number}` : undefined;
    const request = { procedureId, environment, data, by: { person: starter } };
    const told = (runId: string, existing: boolean): void => {
      const known = { runId, environment, procedureId, idempotencyKey, data, existing };
      history.starts.push(known);
      if (random.chance(options.people.repeats)) world.after(random.between(1, 3_000), () => startOther(known));
      if (random.chance(options.people.cancels)) {
        const withinMs = random.pick([200, 2_000, options.faultsForMs]);
        world.after(random.between(0, withinMs), () => cancel(runId, environment, tries));
      }
    };
    const attempt = (left: number): void => {
      const member = someMember(cluster, random);
      if (member === undefined) return void world.after(500, () => attempt(left));
      const again = (): void => {
        if (idempotencyKey !== undefined && left > 0) attempt(left - 1);
      };
      askMember(world, member, patienceMs, again, () =>
        member.engine.runs
          .start({ ...request, ...(idempotencyKey === undefined ? {} : { idempotencyKey }) })
          .then(({ runId, existing }) => told(runId, existing)),
      ).catch((error: unknown) => {
        if (isTransient(error)) world.after(random.between(0, 1_000), again);
        else if (keysMayHaveExpired(history) && isConflict(error)) return;
        else ports.violate("unexpected", `A start was refused: ${String(error)}`);
      });
    };
    attempt(tries);
    if (idempotencyKey === undefined || !random.chance(options.people.repeats)) return;
    // The same request at the same time, through another process.
    attempt(tries);
  };

  /** Another start under the key of an existing run, which must be refused. */
  const startOther = (known: AcknowledgedStart): void => {
    const { procedureId, environment, idempotencyKey, runId } = known;
    const member = someMember(cluster, random);
    if (member === undefined || idempotencyKey === undefined) return;
    const data = { amount: 0, marker: "other" };
    member.machine.deliver(() => {
      member.engine.runs.start({ procedureId, environment, idempotencyKey, data, by: { person: starter } }).then(
        (other) => {
          if (keysMayHaveExpired(history)) return;
          ports.violate("acknowledged", `Key ${idempotencyKey} of ${runId} started ${other.runId} with other data.`);
        },
        (error: unknown) => {
          if (!isConflict(error) && !isTransient(error))
            ports.violate("unexpected", `A start was refused: ${String(error)}`);
        },
      );
    });
  };

  const cancel = (runId: string, environment: Environment, left: number): void => {
    const member = someMember(cluster, random);
    if (member === undefined || left === 0) return;
    askMember(
      world,
      member,
      patienceMs,
      () => cancel(runId, environment, left - 1),
      () =>
        member.engine.runs.cancel({ runId, environment, by: { person: "carol" }, reason: "Not needed." }).then(() => {
          history.cancels.push({ runId, environment, atMs: world.nowMs() });
        }),
    ).catch((error: unknown) => {
      if (isTransient(error)) world.after(200, () => cancel(runId, environment, left - 1));
      else if (!(ProcedoError.isError(error) && error.code === "already_ended")) {
        ports.violate("unexpected", `A cancel was refused: ${String(error)}`);
      }
    });
  };

  return {
    begin: (procedureIds) => {
      for (let number = 0; number < options.starts; number++) {
        world.after(random.between(0, Math.floor(options.faultsForMs * 0.6)), () => start(number, procedureIds));
      }
    },
  };
}

/** A process that can answer: alive and not paused. */
export function someMember(cluster: Cluster, random: SeededRandom): Member | undefined {
  const members = cluster.members().filter(({ machine }) => !machine.paused);
  return members.length === 0 ? undefined : random.pick(members);
}

/** Sends a request to a process; calls `silence` if no answer arrived in time. A late answer still counts. */
export function askMember(
  world: World,
  member: Member,
  withinMs: number,
  silence: () => void,
  ask: () => Promise<void>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancel = world.after(withinMs, silence);
    member.machine.deliver(() => {
      ask().then(resolve, reject).finally(cancel);
    });
  });
}

/** Another caller has used the key since it expired. */
function isConflict(error: unknown): boolean {
  return ProcedoError.isError(error) && error.code === "idempotency_conflict";
}

export function isTransient(error: unknown): boolean {
  return ProcedoError.isError(error) && (error.code === "storage_unavailable" || error.code === "shutting_down");
}
