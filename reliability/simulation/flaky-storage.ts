import { interceptEveryVerb, type SeededRandom, type VerbName } from "@procedo-testing/faults";
import { ProcedoError } from "@procedo/contract";
import type { Storage } from "@procedo/storage";
import type { Machine } from "./machine.ts";
import type { StorageFaults } from "./options.ts";
import type { World } from "./world.ts";

/** How a machine reaches storage: faults are drawn per call and may be switched off while the simulation goes on. */
export interface StorageLink {
  readonly world: World;
  readonly machine: Machine;
  readonly random: SeededRandom;
  readonly faults: () => StorageFaults;
  /** Told when the machine asks again and again without time going on; it gets no answer any more. */
  readonly spins: (verb: string) => void;
}

/**
 * Storage as one machine sees it over a network that delays, reorders and loses. What the port promises is kept: a
 * rejected promise means that nothing is known, so the request may have been done wholly, in part, later, or not at all.
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

/** Writes whose repetition another one makes safe may be done late; a repeated read changes nothing anyway. */
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
      // A request whose sender died may or may not have left.
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
