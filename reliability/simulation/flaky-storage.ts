import { interceptEveryVerb, type SeededRandom, type VerbName } from "@procedo-testing/faults";
import { ProcedoError } from "@procedo/contract";
import type { Storage } from "@procedo/storage";
import type { Machine } from "./machine.ts";
import type { StorageFaults } from "./options.ts";
import type { World } from "./world.ts";

/** A machine's connection to storage. Faults are drawn per call and can be switched off during the simulation. */
export interface StorageLink {
  readonly world: World;
  readonly machine: Machine;
  readonly random: SeededRandom;
  readonly faults: () => StorageFaults;
  /** Called when a machine sends requests in a loop without time passing; it receives no further answer. */
  readonly spins: (verb: string) => void;
}

/**
 * Storage as one machine sees it over a network that delays, reorders and loses messages. The port's contract holds: a
 * rejected promise means that the effect is unknown. The request may have been done in full, in part, later, or not at
 * all.
 */
export function flakyStorage(storage: Storage, link: StorageLink): Storage {
  return {
    ...interceptEveryVerb(storage, (send, verb, request, ...more) =>
      callOver(link, verb, (changed) => send(changed, ...more), request),
    ),
    watch: (listener) =>
      storage.watch((change) => {
        const { world, machine, random, faults } = link;
        if (!machine.alive || random.chance(faults().lostNews)) return;
        world.after(latency(link), () => machine.deliver(() => listener(change)));
      }),
    close: async () => {},
  };
}

/**
 * Sends one request over the link. Every verb may be done late or repeated: writes are idempotent, and reads change
 * nothing.
 */
function callOver(
  link: StorageLink,
  name: VerbName,
  call: (changed: unknown) => Promise<unknown>,
  request: unknown,
): Promise<unknown> {
  const { world, machine, random } = link;
  const faults = link.faults();
  return new Promise((resolve, reject) => {
    const answer = (kind: string, settle: () => void): void => {
      const delayMs = random.chance(faults.slowAnswer) ? random.between(300, 4_000) : latency(link);
      const arrive = (): void => {
        world.note(`${machine.name} ${name} ${kind}`);
        settle();
      };
      if (delayMs === 0) machine.deliver(arrive);
      else world.after(delayMs, () => machine.deliver(arrive));
    };
    const fail = (kind: string): void => answer(kind, () => reject(unavailable(name)));
    const apply = (part: unknown, then: (result: unknown) => void, failed: (error: unknown) => void): void => {
      // A request of a dead sender may or may not have left.
      if (!machine.alive && random.chance(0.5)) return;
      call(part).then(then, failed);
    };
    const nothing = (): void => {};
    const arrive = (): void => {
      if (random.chance(faults.errorBefore)) return fail("refused");
      if (random.chance(faults.errorAfter)) return apply(request, () => fail("done, answer lost"), nothing);
      if (random.chance(faults.doneLate)) {
        fail("done late");
        world.after(random.between(1, 4_000), () => apply(request, nothing, nothing));
        return;
      }
      if (Array.isArray(request) && request.length > 0 && random.chance(faults.partialBatch)) {
        return apply(
          (request as readonly unknown[]).filter(() => random.chance(0.5)),
          () => fail("done in part"),
          nothing,
        );
      }
      apply(
        request,
        (result) => answer("ok", () => resolve(result)),
        (error: unknown) => answer("error", () => reject(error instanceof Error ? error : new Error(String(error)))),
      );
    };
    if (!machine.alive) return;
    if (!world.mayAsk()) return link.spins(name);
    const delayMs = latency(link);
    if (delayMs === 0) arrive();
    else world.after(delayMs, arrive);
  });
}

function latency({ random, faults }: StorageLink): number {
  const { latencyMs } = faults();
  return latencyMs === 0 || random.chance(0.3) ? 0 : random.between(0, latencyMs);
}

function unavailable(name: string): ProcedoError {
  return new ProcedoError("storage_unavailable", `Storage did not answer "${name}". Try again.`);
}
