import type { JsonValue } from "@procedo/contract";
import { sliceBytes, type Slices } from "./slices.ts";
import type { StepRecord } from "./step-record.ts";

/** How much JSON a step's input and output are, in bytes of UTF-8; of what it has not, 0. */
export interface StepBytes {
  readonly input: number;
  readonly output: number;
}

/** A step with the size of what it was given and what it gave. */
export interface SizedStep extends StepRecord {
  readonly bytes: StepBytes;
}

/** Measures steps, in slices. */
export async function withSizes(slices: Slices, steps: readonly StepRecord[]): Promise<readonly SizedStep[]> {
  const sizes = new WeakMap<object, number>();
  let measured = 0;

  const measure = (value: JsonValue | undefined): number => {
    if (value === undefined) return 0;
    const isObject = typeof value === "object" && value !== null;
    // What one step gives is often what the next is given.
    const known = isObject ? sizes.get(value) : undefined;
    if (known !== undefined) return known;
    const bytes = Buffer.byteLength(JSON.stringify(value));
    if (isObject) sizes.set(value, bytes);
    measured += bytes;
    return bytes;
  };

  const sized: SizedStep[] = [];
  for (const step of steps) {
    sized.push({ ...step, bytes: { input: measure(step.input), output: measure(step.output) } });
    if (measured < sliceBytes) continue;
    measured = 0;
    await slices.next();
  }
  return sized;
}
