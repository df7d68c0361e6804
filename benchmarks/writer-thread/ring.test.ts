import { expect, test } from "vitest";
import { ringMemory, ringPutter, ringTaker } from "./ring.ts";

test("rows leave the ring as they entered it, also past its end", () => {
  const memory = ringMemory();
  const put = ringPutter(memory);
  const take = ringTaker(memory);
  const filler = "é€😀".repeat(2000);
  for (let seq = 0; seq < 1000; seq++) {
    const row = { runId: 4_000_000_000, seq, node: `n${seq}`, input: filler, output: String(seq) };
    put(row);
    expect(take()).toEqual(row);
  }
});
