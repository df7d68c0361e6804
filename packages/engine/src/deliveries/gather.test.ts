import { describe, expect, it } from "vitest";
import { gather } from "./gather.ts";

/** Turns of an event loop, each with so many more of what is gathered. */
function gathering({ turnMs = 0, awaitedFrom = Infinity } = {}) {
  const soon: (() => void)[] = [];
  let nowMs = 0;
  let count = 1;
  let ended: { readonly turns: number; readonly count: number } | undefined;
  let turns = 0;
  const clock = { monotonic: () => nowMs, soon: (callback: () => void) => void soon.push(callback) };
  gather({ clock, count: () => count, isAwaited: () => turns >= awaitedFrom }, () => (ended = { turns, count }));
  return (each: (turn: number) => number) => {
    for (let next = soon.shift(); next !== undefined; next = soon.shift()) {
      turns++;
      nowMs += turnMs;
      count += each(turns);
      next();
    }
    return ended;
  };
}

describe("gathering", () => {
  it("ends when ten turns bring nothing more", () => {
    expect(gathering()(() => 0)).toEqual({ turns: 10, count: 1 });
    expect(gathering()((turn) => Number(turn % 10 === 0 && turn <= 50))).toEqual({ turns: 60, count: 6 });
  });

  it("ends with a thousand, but not before ten turns", () => {
    expect(gathering()(() => 20)).toEqual({ turns: 52, count: 1_041 });
    expect(gathering()(() => 500)).toEqual({ turns: 10, count: 5_001 });
  });

  it("ends for who waits, but not before ten turns", () => {
    expect(gathering({ awaitedFrom: 0 })(() => 20)).toEqual({ turns: 10, count: 201 });
    expect(gathering({ awaitedFrom: 15 })(() => 20)).toEqual({ turns: 15, count: 301 });
  });

  it("ends after a tenth of a second where little comes in long turns", () => {
    expect(gathering({ turnMs: 8 })(() => 1)).toEqual({ turns: 13, count: 14 });
  });
});
