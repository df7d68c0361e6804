import { expect, test } from "vitest";
import { isoTime } from "./iso-time.ts";

test("a time is written as a date writes it, whatever was written before", () => {
  const times = [0, 0, 1_795_369_225_413, 1_795_369_225_414, 1_795_369_225_413, -1, 0.5, 8.64e15];
  expect(times.map(isoTime)).toEqual(times.map((atMs) => new Date(atMs).toISOString()));
});

test("what is no time is an error each time, and spoils nothing", () => {
  for (let tries = 0; tries < 2; tries++) expect(() => isoTime(NaN)).toThrow(RangeError);
  expect(isoTime(5)).toBe("1970-01-01T00:00:00.005Z");
});
