import { expect, test } from "vitest";
import { dropCopy, keepCopy, leftCopies, type CopyStorage, type KeptWork } from "./kept-copies.ts";

function createStorage(room = Number.POSITIVE_INFINITY): CopyStorage {
  const texts = new Map<string, string>();
  return {
    get length() {
      return texts.size;
    },
    key: (index) => [...texts.keys()][index] ?? null,
    getItem: (key) => texts.get(key) ?? null,
    setItem: (key, text) => {
      if (text.length > room) throw new DOMException("There is no room.", "QuotaExceededError");
      texts.set(key, text);
    },
    removeItem: (key) => void texts.delete(key),
  };
}

const ana = { procedureId: "payment", person: "ana@acme.example" };
const draft = (name: string): KeptWork => ({
  mine: { name },
  base: { revision: 3, document: { name: "before" } },
  unanswered: [{ name: "sent" }],
  texts: { "/input": { text: "{", over: { type: "object" }, isUnfinished: true } },
});

test("an editor finds the copies that others left behind, the newest first, without those of open editors", () => {
  const storage = createStorage();
  for (const [id, name, nowMs] of [
    ["one", "first", 1],
    ["two", "second", 3],
    ["three", "third", 2],
  ] as const) {
    expect(keepCopy(storage, ana, id, draft(name), nowMs)).toBe(true);
  }
  const left = leftCopies(storage, ana, new Set(["three"]));
  expect(left).toEqual(
    [
      { ...draft("second"), id: "two", keptAtMs: 3 },
      { ...draft("first"), id: "one", keptAtMs: 1 },
    ].map((copy) => expect.objectContaining(copy) as unknown),
  );
  dropCopy(storage, "payment", "two");
  expect(leftCopies(storage, ana, new Set()).map(({ id }) => id)).toEqual(["three", "one"]);
});

test("copies of another person and of another procedure are not offered", () => {
  const storage = createStorage();
  keepCopy(storage, { ...ana, person: "bo@acme.example" }, "one", draft("theirs"), 1);
  keepCopy(storage, { ...ana, procedureId: "payment/2" }, "two", draft("other"), 1);
  keepCopy(storage, { ...ana, procedureId: "payment.2" }, "three", draft("other"), 1);
  expect(leftCopies(storage, ana, new Set())).toEqual([]);
});

test("a browser without room says so, and entries that are no copies are passed over", () => {
  expect(keepCopy(createStorage(10), ana, "one", draft("large"), 1)).toBe(false);
  const storage = createStorage();
  for (const [index, text] of ["{", "[]", "{}", '{ "person": "ana@acme.example", "mine": {}, "base": {} }'].entries()) {
    storage.setItem(`procedo.draft/payment/${index}`, text);
  }
  storage.setItem("procedo.environment", "live");
  expect(leftCopies(storage, ana, new Set())).toEqual([]);
});
