import { expect, test } from "vitest";
import { createNotice } from "./notice.ts";

test("calls every listener once", () => {
  const notice = createNotice();
  const reported: string[] = [];
  const unlisten = ["a", "b", "c"].map((name) => notice.listen(() => reported.push(name)));
  unlisten[1]?.();
  notice.give();
  notice.give();
  expect([reported, notice.given]).toEqual([["a", "c"], true]);
});

test("a listener that stops twice does not stop a later one", () => {
  const notice = createNotice();
  const reported: string[] = [];
  const unlisten = notice.listen(() => reported.push("first"));
  unlisten();
  notice.listen(() => reported.push("second"));
  unlisten();
  notice.give();
  expect(reported).toEqual(["second"]);
});

test("calls a late listener at once, and allows it to stop listening", () => {
  const notice = createNotice();
  notice.give();
  const reported: string[] = [];
  notice.listen(() => reported.push("late"))();
  expect(reported).toEqual(["late"]);
});

test("calls each listener at most once when one stops another during the notice", () => {
  const notice = createNotice();
  const reported: string[] = [];
  notice.listen(() => {
    reported.push("a");
    unlistenB();
  });
  const unlistenB = notice.listen(() => reported.push("b"));
  notice.give();
  expect(reported).toEqual(["a", "b"]);
});
