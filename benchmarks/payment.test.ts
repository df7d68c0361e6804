import { expect, test } from "vitest";
import { instantTools, jitterTools, LARGE_AMOUNT, MAX_JITTER_MS, paymentInput, TOOL_OUTPUT_BYTES } from "./payment.ts";

test("inputs have about 500 bytes, take the large branch and are never equal", () => {
  const inputs = [0, 1, 999_999, 1_000_000, 12_345_678].map(paymentInput);
  for (const input of inputs) {
    expect(JSON.stringify(input).length).toBeGreaterThan(470);
    expect(JSON.stringify(input).length).toBeLessThan(530);
    expect(input.amount).toBeGreaterThan(LARGE_AMOUNT);
  }
  expect(new Set(inputs.map((input) => JSON.stringify(input))).size).toBe(inputs.length);
});

test("each tool returns 300 bytes that no other tool of the run returns", async () => {
  const args = { request: paymentInput(42) };
  const outputs = await Promise.all([instantTools.a(args), instantTools.b(args), instantTools.c(args)]);
  const texts = outputs.map((output) => JSON.stringify(output));
  expect(texts.map((text) => text.length)).toEqual([TOOL_OUTPUT_BYTES, TOOL_OUTPUT_BYTES, TOOL_OUTPUT_BYTES]);
  expect(new Set(texts).size).toBe(3);
  expect(new Set(outputs.map((output) => output.detail)).size).toBe(3);
});

test("two systems get the same jitter", async () => {
  const args = { request: paymentInput(1) };
  const drawn = await Promise.all(
    [jitterTools(7), jitterTools(7)].map(async (tools) => {
      await Promise.all([tools.a(args), tools.b(args), tools.c(args)]);
      return tools.drawnMs();
    }),
  );
  expect(drawn[0]).toBe(drawn[1]);
  expect(drawn[0]).toBeGreaterThan(0);
  expect(drawn[0]).toBeLessThanOrEqual(3 * MAX_JITTER_MS);
});
