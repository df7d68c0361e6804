import { manualClock } from "@procedo-testing/faults";
import { describe, expect, test } from "vitest";
import { createInboundKeys } from "./inbound-keys.ts";

/** Keys of a service that knows the ids with an "a". */
function world() {
  const clock = manualClock();
  const asked: string[] = [];
  let fails = false;
  const ask = async (id: string) => {
    asked.push(id);
    await Promise.resolve();
    if (fails) throw new Error("It is down.");
    return id.includes("a") ? { id } : undefined;
  };
  const all = createInboundKeys(clock);
  const keys = { of: (id: string, connectionId = "con_1") => all.of(connectionId, id, ask) };
  return { clock, keys, asked, setFails: (value: boolean) => (fails = value) };
}

describe("the keys of a service", () => {
  test("are asked for once an hour, also by requests that arrive together", async () => {
    const { clock, keys, asked } = world();
    expect(await Promise.all([keys.of("a"), keys.of("a"), keys.of("a")])).toEqual([
      { id: "a" },
      { id: "a" },
      { id: "a" },
    ]);
    clock.leap(3_599_999);
    await keys.of("a");
    expect(asked).toEqual(["a"]);
    clock.leap(1);
    await keys.of("a");
    expect(asked).toEqual(["a", "a"]);
  });

  test("that it does not have are asked for once a minute", async () => {
    const { clock, keys, asked } = world();
    expect([await keys.of("x"), await keys.of("x")]).toEqual([undefined, undefined]);
    expect(asked).toEqual(["x"]);
    clock.leap(60_000);
    await keys.of("x");
    expect(asked).toEqual(["x", "x"]);
  });

  test("are asked for six times a minute, and ids made up by others displace no known key", async () => {
    const { clock, keys, asked } = world();
    await keys.of("a");
    for (let minute = 0; minute < 100; minute++) {
      clock.leap(10_000);
      await keys.of(`x${minute}`).catch(() => {});
    }
    const before = asked.length;
    for (let index = 0; index < 20; index++) await keys.of(`y${index}`).catch(() => {});
    expect(asked.length - before).toBeLessThanOrEqual(6);
    await expect(keys.of("b")).rejects.toMatchObject({ code: "inbound_unavailable" });
    expect(await keys.of("a")).toEqual({ id: "a" });
    expect(await keys.of("ab", "con_2")).toEqual({ id: "ab" });
    clock.leap(60_000);
    expect(await keys.of("ab")).toEqual({ id: "ab" });
  });

  test("are asked for at the end of their hour, even after strangers have used up the questions", async () => {
    const { clock, keys } = world();
    await keys.of("a");
    clock.leap(3_600_000);
    for (let index = 0; index < 20; index++) await keys.of(`x${index}`).catch(() => {});
    expect(await keys.of("a")).toEqual({ id: "a" });
  });

  test("are asked for again after a question that failed", async () => {
    const { keys, setFails } = world();
    setFails(true);
    await expect(keys.of("a")).rejects.toThrow("It is down.");
    setFails(false);
    expect(await keys.of("a")).toEqual({ id: "a" });
  });
});
