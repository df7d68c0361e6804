import type { Change } from "@procedo/storage";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createAnnouncer, writtenMs } from "./announcer.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const scope = { workspace: "acme", environment: "live" } as const;
const settled: Change = { type: "settled", runId: "run-1", scope };
const written: Change = { type: "written", scope };
const writtenInSandbox: Change = { type: "written", scope: { ...scope, environment: "sandbox" } };

function newAnnouncer() {
  const emitted: Change[] = [];
  const sent: (readonly Change[])[] = [];
  const { announce, flush } = createAnnouncer({
    emit: (change) => emitted.push(change),
    send: (changes) => sent.push(changes),
  });
  return { announce, flush, emitted, sent };
}

it("tells this process and the others of a change at once", () => {
  const { announce, emitted, sent } = newAnnouncer();
  announce([settled]);
  expect([emitted, sent]).toEqual([[settled], [[settled]]]);
});

it("tells only the others that something was written, once a second for each scope", () => {
  const { announce, emitted, sent } = newAnnouncer();
  for (let n = 0; n < 1_000; n++) announce([written, writtenInSandbox, written]);
  vi.advanceTimersByTime(writtenMs - 1);
  expect([emitted, sent]).toEqual([[], []]);
  vi.advanceTimersByTime(1);
  expect(sent).toEqual([[written, writtenInSandbox]]);
  announce([written]);
  vi.advanceTimersByTime(writtenMs);
  expect(sent).toEqual([[written, writtenInSandbox], [written]]);
  vi.advanceTimersByTime(10 * writtenMs);
  expect(sent).toHaveLength(2);
});

it("sends what was collected when the process ends, once", () => {
  const { announce, flush, sent } = newAnnouncer();
  announce([written]);
  flush();
  expect(sent).toEqual([[written]]);
  flush();
  vi.advanceTimersByTime(writtenMs);
  expect(sent).toHaveLength(1);
});
