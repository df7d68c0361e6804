import { expect, test } from "vitest";
import { ringMemory, ringPutter, ringTaker } from "./ring.ts";

test("rows come out of the ring as they went in, past its end too", () => {
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
