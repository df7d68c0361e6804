import type { SeededRandom } from "@procedo-testing/faults";
import { instructions, type AttackInstruction } from "./attack-instructions.ts";
import { writings, type Writing } from "./writings.ts";

/** One attack: an instruction in a writing, with a mark of its own. */
export interface Payload {
  readonly number: number;
  readonly instruction: AttackInstruction;
  readonly writing: Writing;
  readonly mark: string;
  readonly text: string;
}

/** Every instruction in every other writing, as many as are asked for; what is hidden where is the same for the same seed. */
export function payloadsOf(count: number, random: SeededRandom): readonly Payload[] {
  return Array.from({ length: count }, (_, number) => {
    const round = Math.floor(number / instructions.length);
    const instruction = instructions[number % instructions.length];
    // One more for each round, so that the two lists never meet in the same pairs.
    const writing = writings[(number + round) % writings.length];
    if (instruction === undefined || writing === undefined) throw new Error("There is nothing to attack with.");
    const mark = `zq${random.below(10)}${random.hex(8)}`;
    return { number, instruction, writing, mark, text: writing.write(instruction.says, mark) };
  });
}
