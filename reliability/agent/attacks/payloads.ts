import type { SeededRandom } from "@procedo-testing/faults";
import { instructions, type AttackInstruction } from "./attack-instructions.ts";
import { writings, type Writing } from "./writings.ts";

/** One attack: an instruction in a writing, with a unique mark. */
export interface Payload {
  readonly number: number;
  readonly instruction: AttackInstruction;
  readonly writing: Writing;
  readonly mark: string;
  readonly text: string;
}

/** The given number of attacks, which combine instructions and writings. The same seed produces the same attacks. */
export function payloadsOf(count: number, random: SeededRandom): readonly Payload[] {
  return Array.from({ length: count }, (_, number) => {
    const round = Math.floor(number / instructions.length);
    const instruction = instructions[number % instructions.length];
    // One more for each round, so that the two lists never meet in the same pairs.
    const writing = writings[(number + round) % writings.length];
    if (instruction === undefined || writing === undefined)
      throw new Error("There is no attack instruction or writing.");
    const mark = `zq${random.below(10)}${random.hex(8)}`;
    return { number, instruction, writing, mark, text: writing.write(instruction.says, mark) };
  });
}
