import type { SeededRandom } from "@procedo-testing/faults";
import { createEngine, type Engine, type Log } from "@procedo/engine";
import type { Storage } from "@procedo/storage";
import { damagingStorage } from "./damaging-storage.ts";
import { flakyStorage } from "./flaky-storage.ts";
import type { History } from "./history.ts";
import type { Ledger } from "./ledger.ts";
import { createMachine, type Machine } from "./machine.ts";
import type { SimulationOptions, StorageFaults } from "./options.ts";
import type { World } from "./world.ts";

/** One process of the product: the real engine on a simulated machine. */
export interface Member {
  readonly machine: Machine;
  readonly engine: Engine;
}

/** The processes that share one storage. */
export interface Cluster {
  /** Starts one more process. */
  boot(): Member;
  /** The living processes, paused ones included. */
  members(): readonly Member[];
  /** Removes the process from the cluster; its machine may still be draining. */
  forget(member: Member): void;
  /** The offset of the wall clocks of all machines and of storage. */
  jumpWallClocks(byMs: number): void;
}

export interface ClusterPorts {
  readonly world: World;
  readonly random: SeededRandom;
  readonly history: History;
  readonly storage: Storage;
  readonly ledger: Ledger;
  readonly options: SimulationOptions;
  readonly storageFaults: () => StorageFaults;
  readonly spins: (verb: string) => void;
  readonly damageRate: () => number;
  readonly wallOffset: { ms: number };
  /** Replaces parts of an engine's options, for seeded bugs. @defaultValue no replacement */
  readonly wrapStorage?: ((storage: Storage) => Storage) | undefined;
}

export const masterKey = new Uint8Array(32).fill(7);

const retryStartMs = 300;

export function createCluster(ports: ClusterPorts): Cluster {
  const { world, history, options, wallOffset } = ports;
  let members: Member[] = [];
  let booted = 0;

  const logOf = (machine: Machine): Log => {
    const write = (level: string): Log["warn"] => {
      return (message, fields = {}) => {
        const line = (told: object): string => `${machine.name} ${level} ${message} ${JSON.stringify(told)}`;
        // The frames of a stack depend on the caller of the simulation.
        const { stack: _frames, ...traced } = fields;
        world.note(line(traced));
        history.logs.push(line(fields));
      };
    };
    return { info: write("info"), warn: write("warn"), error: write("error") };
  };

  return {
    boot: () => {
      booted += 1;
      const random = ports.random.fork(`m${booted}`);
      const skewMs = random.between(-options.chaos.skewMs, options.chaos.skewMs);
      const machine = createMachine(world, `m${booted}`, () => wallOffset.ms + skewMs);
      const damaging = damagingStorage(ports.storage, history, random.fork("damage"), ports.damageRate);
      const link = { world, machine, random: random.fork("link"), faults: ports.storageFaults, spins: ports.spins };
      const flaky = flakyStorage(damaging, link);
      const engine = createEngine({
        storage: ports.wrapStorage?.(flaky) ?? flaky,
        integrations: [ports.ledger.integrationFor(machine)],
        masterKey,
        limits: options.limits,
        worker: options.worker,
        clock: machine.clock,
        random: { bytes: random.bytes, uniform: random.uniform },
        log: logOf(machine),
      });
      const member: Member = { machine, engine };
      members.push(member);
      const start = (): void => {
        engine.start().catch(() => void machine.clock.after(retryStartMs, start));
      };
      machine.deliver(start);
      return member;
    },
    members: () => members.filter(({ machine }) => machine.alive),
    forget: (member) => {
      members = members.filter((other) => other !== member);
    },
    jumpWallClocks: (byMs) => {
      wallOffset.ms += byMs;
      history.clockJumped ||= byMs > 0;
      history.wallJumpsMs.push(byMs);
    },
  };
}
