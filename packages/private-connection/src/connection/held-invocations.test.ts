import { expect, test } from "vitest";
import { createHeldInvocations } from "./held-invocations.ts";

const lease = (invocationId: string, leaseToken = "l1") => ({ invocationId, leaseToken });

test("a lease starts when its request was sent, and only grows", () => {
  const held = createHeldInvocations(1);
  const one = held.take(lease("a"), true, 1_000);
  expect(one?.deadlineMs).toBe(61_000);
  if (one === undefined) return;
  held.extend(one, 16_000);
  held.extend(one, 2_000);
  expect(one.deadlineMs).toBe(76_000);
});

test("the latest lease counts, unless the call was abandoned and is still running", () => {
  const held = createHeldInvocations(2);
  const one = held.take(lease("a"), true, 0);
  expect(held.take(lease("a", "l2"), true, 5_000)).toBeUndefined();
  expect(one).toMatchObject({ leaseToken: "l2", deadlineMs: 65_000 });
  if (one === undefined) return;
  held.lose(one, "given up");
  expect(held.take(lease("a", "l3"), true, 9_000)).toBeUndefined();
  expect(one.leaseToken).toBe("l2");
  held.release(one);
  expect(held.take(lease("a", "l4"), true, 9_000)).toBeDefined();
});

test("a non-idempotent call is accepted again until it was made, and never after", () => {
  const held = createHeldInvocations(1);
  for (const isCalled of [false, true]) {
    const one = held.take(lease("a"), false, 0);
    expect(one).toBeDefined();
    if (one === undefined) return;
    if (isCalled) held.rememberCall(one);
    held.release(one);
  }
  expect(held.take(lease("a"), false, 0)).toBeUndefined();
});

test("the memory of made calls is bounded", () => {
  const held = createHeldInvocations(1);
  for (let n = 0; n <= 10_000; n++) {
    const one = held.take(lease(`inv_${n}`), false, 0);
    if (one === undefined) throw new Error(`inv_${n} was not taken`);
    held.rememberCall(one);
    held.release(one);
  }
  expect(held.take(lease("inv_1"), false, 0)).toBeUndefined();
  expect(held.take(lease("inv_0"), false, 0)).toBeDefined();
});

test("a finished call frees its capacity, and the number of undelivered results is bounded", () => {
  const held = createHeldInvocations(2);
  const taken = ["a", "b"].map((id) => held.take(lease(id), true, 0));
  expect(held.free).toBe(0);
  for (const [index, one] of taken.entries()) {
    if (one === undefined) throw new Error("It was not taken.");
    held.end(one);
    expect(held.free).toBe(index + 1);
  }
  for (const id of ["c", "d"]) {
    const one = held.take(lease(id), true, 0);
    if (one !== undefined) held.end(one);
  }
  expect(held.free).toBe(0);
  if (taken[0] !== undefined) held.release(taken[0]);
  expect(held.free).toBe(1);
});
