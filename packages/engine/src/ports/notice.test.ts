import { expect, test } from "vitest";
import { createNotice } from "./notice.ts";

test("everybody who still listens is told once", () => {
  const notice = createNotice();
  const told: string[] = [];
  const unlisten = ["a", "b", "c"].map((name) => notice.listen(() => told.push(name)));
  unlisten[1]?.();
  notice.give();
  notice.give();
  expect([told, notice.given]).toEqual([["a", "c"], true]);
});

test("whoever stops listening twice stops nobody who came after", () => {
  const notice = createNotice();
  const told: string[] = [];
  const unlisten = notice.listen(() => told.push("first"));
  unlisten();
  notice.listen(() => told.push("second"));
  unlisten();
  notice.give();
  expect(told).toEqual(["second"]);
});

test("whoever comes too late is told at once, and may stop listening all the same", () => {
  const notice = createNotice();
  notice.give();
  const told: string[] = [];
  notice.listen(() => told.push("late"))();
  expect(told).toEqual(["late"]);
});

test("a listener that stops another one while they are told still leaves each told at most once", () => {
  const notice = createNotice();
  const told: string[] = [];
  notice.listen(() => {
    told.push("a");
    unlistenB();
  });
  const unlistenB = notice.listen(() => told.push("b"));
  notice.give();
  expect(told).toEqual(["a", "b"]);
});
