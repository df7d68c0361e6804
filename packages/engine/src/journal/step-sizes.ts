import type { JsonValue } from "@procedo/contract";
import { sliceBytes, type Slices } from "./slices.ts";
import type { StepRecord } from "./step-record.ts";

/** Sizes of a step's input and output as JSON, in bytes of UTF-8; 0 for a missing value. */
export interface StepBytes {
  /** Size of the step's input, in bytes. */
  readonly input: number;
  /** Size of the step's output, in bytes. */
  readonly output: number;
}

/** A step with the sizes of its input and output. */
export interface SizedStep extends StepRecord {
  /** Sizes of the step's input and output. */
  readonly bytes: StepBytes;
}

/** Measures steps, in slices. */
export async function withSizes(slices: Slices, steps: readonly StepRecord[]): Promise<readonly SizedStep[]> {
  const sizes = new WeakMap<object, number>();
  let measured = 0;

  const measure = (value: JsonValue | undefined): number => {
    if (value === undefined) return 0;
    const isObject = typeof value === "object" && value !== null;
    // The output of one step is often the input of the next.
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
