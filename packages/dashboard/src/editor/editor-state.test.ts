import { expect, test } from "vitest";
import { nextEditor, openEditor, type EditorEvent, type EditorState } from "./editor-state.ts";

const opened = openEditor({ revision: 1, document: { name: "a" } });
const after = (state: EditorState, ...events: readonly EditorEvent[]): EditorState => events.reduce(nextEditor, state);
const change = (name: string, act?: string): EditorEvent => ({ kind: "change", document: { name }, act });
const due: EditorEvent = { kind: "draft", event: { kind: "due" } };
const outdated: EditorEvent = { kind: "draft", event: { kind: "outdated" } };
const read = (revision: number, name: string): EditorEvent => ({
  kind: "draft",
  event: { kind: "read", stored: { revision, document: { name } } },
});
const saved: EditorEvent = { kind: "draft", event: { kind: "saved", revision: 2 } };

test("an undo of a saved change is saved as well", () => {
  const undone = after(opened, change("b"), due, saved, { kind: "undo" });
  expect(undone.draft).toMatchObject({ mine: { name: "a" }, sync: { kind: "edited" } });
  expect(after(undone, { kind: "redo" }).draft.sync.kind).toBe("saved");
});

test("typing on during a save is one act", () => {
  const typed = after(opened, change("b", "name"), due, change("bc", "name"), saved, change("bcd", "name"));
  expect(after(typed, { kind: "undo" }).history.present).toEqual({ name: "a" });
});

test("after a conflict, undo brings back the document that was not kept", () => {
  const conflict = after(opened, change("mine"), due, outdated, read(2, "theirs"));
  const theirs = after(conflict, { kind: "draft", event: { kind: "keep_theirs" } });
  expect(theirs.history.present).toEqual({ name: "theirs" });
  expect(after(theirs, { kind: "undo" }).draft).toMatchObject({ mine: { name: "mine" }, sync: { kind: "edited" } });
  const mine = after(conflict, { kind: "draft", event: { kind: "keep_mine" } });
  expect(mine.draft.sync).toEqual({ kind: "saving", sent: { name: "mine" } });
  expect(after(mine, { kind: "undo" }).history.present).toEqual({ name: "theirs" });
});

test("undo and redo take back nothing that someone else saved", () => {
  const mine = after(opened, change("b"), due, saved, change("c"), { kind: "undo" }, due);
  const unchanged = after(mine, { kind: "draft", event: { kind: "saved", revision: 3 } });
  const adopted = after(unchanged, read(4, "theirs"));
  expect(adopted.history).toEqual({ past: [], present: { name: "theirs" }, future: [] });
  expect(after(adopted, { kind: "undo" }).draft).toBe(adopted.draft);
  expect(after(adopted, { kind: "redo" }).draft).toBe(adopted.draft);
  const changed = after(adopted, change("d"));
  expect(after(changed, { kind: "undo" }).draft).toMatchObject({ mine: { name: "theirs" }, sync: { kind: "saved" } });
});

test("a read that changes nothing keeps the history", () => {
  const state = after(opened, change("b"), due, saved);
  expect(after(state, read(2, "b")).history).toBe(state.history);
});

test("after a conflict, undo goes no further than the choice", () => {
  const conflict = after(opened, change("mine 1"), change("mine 2"), due, outdated, read(2, "theirs"));
  for (const kind of ["keep_mine", "keep_theirs"] as const) {
    const chosen = after(conflict, { kind: "draft", event: { kind } });
    expect(chosen.history.past).toHaveLength(1);
  }
});

test("a read of an equal draft with another revision keeps what can be undone", () => {
  const state = after(opened, change("b"), due, saved);
  const equal = after(state, read(3, "b"));
  expect(after(equal, { kind: "undo" }).history.present).toEqual({ name: "a" });
});

test("an unfinished text goes with its step through a rename, its undo and its redo", () => {
  const named = (id: string): EditorEvent => ({ kind: "change", document: { name: "a", nodes: [{ id }] } });
  const typed = { text: "{", isUnfinished: true };
  const renamed = after(opened, named("pay"), { kind: "typed", place: "/nodes/pay/data", typed }, named("pay2"));
  expect(Object.keys(renamed.texts)).toEqual(["/nodes/pay2/data"]);
  const undone = after(renamed, { kind: "undo" });
  expect(Object.keys(undone.texts)).toEqual(["/nodes/pay/data"]);
  expect(Object.keys(after(undone, { kind: "redo" }).texts)).toEqual(["/nodes/pay2/data"]);
});
