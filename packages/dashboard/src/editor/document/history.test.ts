import * as fc from "fast-check";
import { expect, test } from "vitest";
import { choices, editFor, payment } from "./documents.fixture.ts";
import { actOf } from "./document-edit.ts";
import { editDocument } from "./edit-document.ts";
import { beginHistory, endAct, recordChange, redo, undo } from "./history.ts";

test("undo restores each document exactly, and redo brings it back", () => {
  fc.assert(
    fc.property(choices, (made) => {
      let history = beginHistory(payment);
      const documents = [payment];
      for (const choice of made) {
        const edit = editFor(history.present, choice);
        const after = editDocument(history.present, edit);
        history = endAct(recordChange(history, after, actOf(edit)));
        if (after !== documents.at(-1)) documents.push(after);
      }
      for (const document of documents.toReversed()) {
        expect(history.present).toBe(document);
        history = undo(history);
      }
      for (const document of documents) {
        expect(history.present).toBe(document);
        history = redo(history);
      }
    }),
  );
});

test("typing in one field is undone at once, and a pause at another field ends it", () => {
  let history = beginHistory("");
  for (const text of ["P", "Pa", "Pay"]) history = recordChange(history, text, "title");
  history = recordChange(history, "Pay!", "other");
  history = endAct(history);
  history = recordChange(history, "Pay!!", "other");
  expect(history.past).toEqual(["", "Pay", "Pay!"]);
  expect(undo(undo(undo(history))).present).toBe("");
  expect(undo(undo(undo(undo(history)))).present).toBe("");
});

test("a change after an undo drops the documents that could be done again", () => {
  const undone = undo(recordChange(recordChange(beginHistory("a"), "b"), "c"));
  expect(undone.future).toEqual(["c"]);
  const changed = recordChange(undone, "d");
  expect(changed.future).toEqual([]);
  expect(redo(changed).present).toBe("d");
});

test("a change that changes nothing is no entry", () => {
  const history = beginHistory("a");
  expect(recordChange(history, "a")).toBe(history);
});
