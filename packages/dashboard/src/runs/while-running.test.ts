import { expect, test } from "vitest";
import { whileRunning } from "./while-running.ts";

test("what is shown of a run is read again while it is at work, and not before it is known, while it waits or after", () => {
  const read = (data: { readonly status: string } | undefined) => whileRunning({ state: { data } });
  expect(read({ status: "running" })).toBe(2_000);
  for (const status of ["awaiting_review", "completed", "failed"]) expect(read({ status })).toBe(false);
  expect(read(undefined)).toBe(false);
});
