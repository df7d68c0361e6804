import { expect, test } from "vitest";
import { createNotice } from "./notice.ts";

test("calls every listener once", () => {
  const notice = createNotice();
  const told: string[] = [];
  const unlisten = ["a", "b", "c"].map((name) => notice.listen(() => told.push(name)));
  unlisten[1]?.();
  notice.give();
  notice.give();
  expect([told, notice.given]).toEqual([["a", "c"], true]);
});

test("a listener that stops twice does not stop a later one", () => {
  const notice = createNotice();
  const told: string[] = [];
  const unlisten = notice.listen(() => told.push("first"));
  unlisten();
  notice.listen(() => told.push("second"));
  unlisten();
  notice.give();
  expect(told).toEqual(["second"]);
});

test("calls a late listener at once, and allows it to stop listening", () => {
  const notice = createNotice();
  notice.give();
  const told: string[] = [];
  notice.listen(() => told.push("late"))();
  expect(told).toEqual(["late"]);
});

test("calls each listener at most once when one stops another during the notice", () => {
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
