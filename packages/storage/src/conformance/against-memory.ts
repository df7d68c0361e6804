import { describe, expect, it } from "vitest";
import { ProcedoError } from "@procedo/contract";
import { createMemoryStorage } from "../memory/memory-storage.ts";
import type { Storage } from "../storage.ts";
import { openHarness, type ConformanceOptions } from "./harness.ts";
import { dump } from "./dump.ts";
import { createRandom } from "./random.ts";
import type { Step } from "./random-step.ts";
import { createSteps } from "./random-verbs.ts";

/**
 * Compares the answers to random sequences of calls with those of the in-memory adapter, also when the storage crashes
 * and is reopened between any two calls.
 */
export function describeAgainstMemory(
  name: string,
  options: ConformanceOptions & { readonly seeds: readonly number[]; readonly steps: number },
): void {
  describe(`${name} answers as memory does`, () => {
    const cases = options.seeds.flatMap((seed) => [["runs", seed] as const, ["triggers", seed] as const]);
    it.each(cases)("mostly %s, seed %i", { timeout: 60_000 }, async (focus, seed) => {
      const random = createRandom(seed);
      const harness = await openHarness(options);
      const memory = createMemoryStorage({ now: harness.clock.now });
      const nextStep = createSteps(random, harness.clock, focus);
      for (let number = 1; number <= options.steps; number++) {
        const step = nextStep();
        const expected = await answerOf(memory, step);
        const actual = await answerOf(harness.storage, step);
        expect(actual, `${step.name}, step ${number} of seed ${seed}`).toEqual(expected);
        if (expected.error === undefined) step.learn?.(expected.answer);
        if (options.reopen !== undefined && random.chance(0.1)) await harness.reopen();
        if (random.chance(0.05))
          expect(await dump(harness.storage), `after step ${number}`).toEqual(await dump(memory));
        harness.clock.advance(random.integer(12));
      }
      expect(await dump(harness.storage)).toEqual(await dump(memory));
      await harness.storage.close();
    });
  });
}

async function answerOf(
  storage: Storage,
  step: Step,
): Promise<{ readonly answer: unknown; readonly error?: string | undefined }> {
  try {
    return { answer: withoutErrors(await step.call(storage)) };
  } catch (error) {
    return { answer: undefined, error: ProcedoError.isError(error) ? error.code : String(error) };
  }
}

/** Adapters may choose the message and code of a refusal. */
function withoutErrors(answer: unknown): unknown {
  if (!Array.isArray(answer)) return answer;
  return answer.map((one: unknown) =>
    typeof one === "object" && one !== null && "error" in one ? { ...one, error: undefined } : one,
  );
}
