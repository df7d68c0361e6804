import type { SeededRandom } from "@procedo-testing/faults";
import { orders, type Order } from "./orders.ts";
import { writings, type Writing } from "./writings.ts";

/** One attack: an order in a writing, with a mark of its own. */
export interface Payload {
  readonly number: number;
  readonly order: Order;
  readonly writing: Writing;
  readonly mark: string;
  readonly text: string;
}

/** Every order in every other writing, as many as are asked for; what is hidden where is the same for the same seed. */
export function payloadsOf(count: number, random: SeededRandom): readonly Payload[] {
  return Array.from({ length: count }, (_, number) => {
    const round = Math.floor(number / orders.length);
    const order = orders[number % orders.length];
    // One more for each round, so that the two lists never meet in the same pairs.
    const writing = writings[(number + round) % writings.length];
    if (order === undefined || writing === undefined) throw new Error("There is nothing to attack with.");
    const mark = `zq${random.below(10)}${random.hex(8)}`;
    return { number, order, writing, mark, text: writing.write(order.says, mark) };
  });
}
