import { expect, test } from "vitest";
import { systemClock } from "./clock.ts";

test("ends a sleep after its time or on the signal, and returns which", async () => {
  const stop = new AbortController();
  expect(await systemClock.sleep(1, stop.signal)).toBe("elapsed");
  const long = systemClock.sleep(600_000, stop.signal);
  stop.abort();
  expect(await long).toBe("aborted");
  expect(await systemClock.sleep(600_000, stop.signal)).toBe("aborted");
});
