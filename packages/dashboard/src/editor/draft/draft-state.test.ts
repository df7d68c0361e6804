import type { JsonObject } from "@procedo/contract";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  isUnsaved,
  keptDraft,
  nextDraft,
  openDraft,
  restoreDraft,
  type DraftEvent,
  type DraftState,
} from "./draft-state.ts";
import { saveWord } from "./save-word.ts";

const document = (name: string): JsonObject => ({ name });
const stored = (revision: number, name: string) => ({ revision, document: document(name), by: "bo@acme.example" });
const opened = openDraft(stored(4, "a"));
const after = (state: DraftState, ...events: readonly DraftEvent[]): DraftState => events.reduce(nextDraft, state);
const edit = (name: string): DraftEvent => ({ kind: "edited", document: document(name) });
const due: DraftEvent = { kind: "due" };
const read = (revision: number, name: string): DraftEvent => ({ kind: "read", stored: stored(revision, name) });

test("a change is saved over the revision that it began from", () => {
  const saving = after(opened, edit("b"), due);
  expect(saving.sync).toEqual({ kind: "saving", sent: document("b") });
  expect(saving.base.revision).toBe(4);
  const saved = after(saving, { kind: "saved", revision: 5 });
  expect(saved).toEqual({
    mine: document("b"),
    base: { revision: 5, document: document("b") },
    unanswered: [],
    sync: { kind: "saved" },
  });
});

test("a change during a save is saved next", () => {
  const saved = after(opened, edit("b"), due, edit("c"), { kind: "saved", revision: 5 });
  expect(saved).toMatchObject({
    mine: document("c"),
    base: { revision: 5, document: document("b") },
    sync: { kind: "edited" },
  });
});

test("a change that is taken back needs no save", () => {
  expect(after(opened, edit("b"), edit("a")).sync.kind).toBe("saved");
});

test("a save whose answer was lost is recognized", () => {
  const offline = after(opened, edit("b"), due, { kind: "unanswered" });
  expect(offline.sync.kind).toBe("offline");
  const compared = after(offline, edit("c"), due, { kind: "outdated" }, read(5, "b"));
  expect(compared).toMatchObject({
    mine: document("c"),
    base: { revision: 5 },
    unanswered: [],
    sync: { kind: "edited" },
  });
});

test("a save under way when the page ends is recognized as one's own afterwards", () => {
  const typingOn = after(opened, edit("b"), due, edit("c"));
  const restored = restoreDraft(keptDraft(typingOn), stored(5, "b"));
  expect(restored).toMatchObject({ mine: document("c"), base: { revision: 5 }, sync: { kind: "edited" } });
});

test("a save without an answer, which someone saw and undid, is not made again without a choice", () => {
  const offline = after(opened, edit("b"), due, { kind: "unanswered" });
  const conflict = after(offline, due, { kind: "outdated" }, read(6, "a"));
  expect(conflict).toMatchObject({ mine: document("b"), sync: { kind: "conflict", theirs: { revision: 6 } } });
});

test("a change that was taken back after an unanswered save is sent", () => {
  const offline = after(opened, edit("b"), due, { kind: "unanswered" }, edit("a"), due);
  expect(offline.sync).toEqual({ kind: "saving", sent: document("a") });
});

test("someone else's draft takes no place without a choice, and both ways go on from it", () => {
  const conflict = after(opened, edit("b"), due, { kind: "outdated" }, read(5, "x"));
  expect(conflict).toMatchObject({ mine: document("b"), sync: { kind: "conflict", theirs: { revision: 5 } } });
  expect(after(conflict, edit("c"), due).sync.kind).toBe("conflict");
  expect(after(conflict, { kind: "keep_theirs" })).toEqual(openDraft(stored(5, "x")));
  const mine = after(conflict, edit("c"), { kind: "keep_mine" });
  expect(mine).toMatchObject({ base: { revision: 5 }, sync: { kind: "saving", sent: document("c") } });
});

test("a newer draft of someone else is shown while nothing is unsaved, and an older answer is not", () => {
  expect(after(opened, read(5, "x")).mine).toEqual(document("x"));
  expect(after(opened, read(3, "x"))).toBe(opened);
  const edited = after(opened, edit("b"));
  expect(after(edited, read(5, "x"))).toBe(edited);
});

test("a refused document stays, and the next change is sent again", () => {
  const refused = after(opened, edit("b"), due, { kind: "refused", error: "too large" });
  expect(refused.sync).toEqual({ kind: "refused", error: "too large" });
  expect(after(refused, edit("c"), due).sync.kind).toBe("saving");
});

test("the words never say that a draft is saved before the service has answered", () => {
  const words = (state: DraftState): string => saveWord(state.sync, true, false);
  expect(words(opened)).toBe("All changes saved");
  expect(words(after(opened, edit("b")))).toBe("Saving…");
  expect(words(after(opened, edit("b"), due))).toBe("Saving…");
  expect(words(after(opened, edit("b"), due, { kind: "unanswered" }))).toBe("Not saved: offline, kept on this device");
  expect(words(after(opened, edit("b"), due, { kind: "outdated" }, read(5, "x")))).toBe(
    "Not saved: someone else saved",
  );
  expect(saveWord({ kind: "offline" }, false, false)).toBe("Not saved: offline");
});

/** The service, as far as drafts are concerned. */
class Drafts {
  revision = 1;
  document: JsonObject = { edits: [] };
  /** Every document that was a revision. */
  readonly revisions = [this.document];

  put(sent: JsonObject, revision: number): number | undefined {
    if (revision !== this.revision) return undefined;
    this.revision += 1;
    this.document = sent;
    this.revisions.push(sent);
    return this.revision;
  }
}

interface Writer {
  state: DraftState;
  /** The copy that the device keeps, as text. */
  kept: string | undefined;
  /** Requests on their way, which may arrive late, after the page has given them up. */
  readonly late: { readonly sent: JsonObject; readonly revision: number }[];
  /** Every document that the person had before them. */
  readonly seen: JsonObject[];
}

const acts = [
  "edit",
  "deliver",
  "lose request",
  "lose answer",
  "arrive late",
  "read",
  "choose theirs",
  "choose mine",
  "crash",
] as const;

test("two writers with lost answers, crashes and choices: never a mixture, and nothing is lost", () => {
  const step = fc.record({ who: fc.nat(1), act: fc.constantFrom(...acts) });
  fc.assert(
    fc.property(fc.array(step, { minLength: 20, maxLength: 120 }), (steps) => {
      const drafts = new Drafts();
      const present = () => ({ revision: drafts.revision, document: drafts.document });
      const begin = (): Writer => ({ state: openDraft(present()), kept: undefined, late: [], seen: [] });
      const writers = [begin(), begin()];
      let edits = 0;
      const keep = (writer: Writer): void => {
        const { mine, base, unanswered } = writer.state;
        writer.kept = isUnsaved(writer.state) ? JSON.stringify({ mine, base, unanswered }) : undefined;
        writer.seen.push(mine);
      };
      const tell = (writer: Writer, event: DraftEvent): void => {
        writer.state = nextDraft(writer.state, event);
        keep(writer);
      };
      const answer = (writer: Writer, revision: number | undefined): void =>
        tell(writer, revision === undefined ? { kind: "outdated" } : { kind: "saved", revision });

      for (const { who, act } of steps) {
        const writer = writers[who] as Writer;
        const { mine, base, sync } = writer.state;
        const wasUnsaved = isUnsaved(writer.state);
        switch (act) {
          case "edit":
            edits += 1;
            tell(writer, { kind: "edited", document: { edits: [...(mine["edits"] as number[]), edits] } });
            break;
          case "deliver":
            tell(writer, { kind: "due" });
            if (writer.state.sync.kind === "saving")
              answer(writer, drafts.put(writer.state.sync.sent, writer.state.base.revision));
            break;
          case "lose request":
            tell(writer, { kind: "due" });
            if (writer.state.sync.kind === "saving")
              writer.late.push({ sent: writer.state.sync.sent, revision: writer.state.base.revision });
            tell(writer, { kind: "unanswered" });
            break;
          case "lose answer":
            tell(writer, { kind: "due" });
            if (writer.state.sync.kind === "saving") drafts.put(writer.state.sync.sent, writer.state.base.revision);
            tell(writer, { kind: "unanswered" });
            break;
          case "arrive late": {
            const request = writer.late.shift();
            if (request !== undefined) drafts.put(request.sent, request.revision);
            break;
          }
          case "read":
            tell(writer, { kind: "read", stored: present() });
            break;
          case "choose theirs":
            if (sync.kind === "conflict") tell(writer, { kind: "keep_theirs" });
            break;
          case "choose mine":
            tell(writer, { kind: "keep_mine" });
            if (writer.state.sync.kind === "saving")
              answer(writer, drafts.put(writer.state.sync.sent, writer.state.base.revision));
            break;
          case "crash": {
            // Only the copy on the device is left, and the person takes it up again.
            const kept = writer.kept === undefined ? undefined : (JSON.parse(writer.kept) as DraftState);
            writer.state = kept === undefined ? openDraft(present()) : restoreDraft(kept, present());
            expect(writer.state.mine).toEqual(kept === undefined ? drafts.document : mine);
            keep(writer);
            break;
          }
        }
        // The person's document changes by the person alone, or while nothing is unsaved.
        if (act !== "edit" && act !== "choose theirs" && wasUnsaved) expect(writer.state.mine).toEqual(mine);
        // A document that counts as saved is, or was, a revision.
        if (writer.state.sync.kind === "saved") {
          expect(drafts.revisions).toContainEqual(writer.state.mine);
          expect(writer.state.base.document).toEqual(writer.state.mine);
        }
        expect(writer.state.base.revision).toBeGreaterThanOrEqual(base.revision);
      }
      // Each revision is a document that one person had before them as a whole.
      const seen = writers.flatMap((writer) => writer.seen.map((one) => JSON.stringify(one)));
      for (const revision of drafts.revisions.slice(1)) expect(seen).toContain(JSON.stringify(revision));
      // With the network back, and each conflict decided, both see the same.
      for (let round = 0; round < 8; round++) {
        for (const writer of writers) {
          tell(writer, { kind: "due" });
          if (writer.state.sync.kind === "saving")
            answer(writer, drafts.put(writer.state.sync.sent, writer.state.base.revision));
          tell(writer, { kind: "read", stored: present() });
          if (writer.state.sync.kind === "conflict") tell(writer, { kind: "keep_mine" });
          if (writer.state.sync.kind === "saving")
            answer(writer, drafts.put(writer.state.sync.sent, writer.state.base.revision));
        }
      }
      expect(writers.map(({ state }) => state.sync.kind)).toEqual(["saved", "saved"]);
      expect(writers.map(({ state }) => state.mine)).toEqual([drafts.document, drafts.document]);
    }),
    { numRuns: 500 },
  );
});
