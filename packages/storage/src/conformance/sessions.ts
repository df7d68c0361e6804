import { describe, expect, it } from "vitest";
import { maxSessionsListed, type SessionRow } from "../sessions.ts";
import type { ConformanceOptions } from "./harness.ts";
import { startMs, useHarness } from "./harness.ts";
import { codeOf } from "./pages.ts";
import { session } from "./samples.ts";

const person = { workspace: "acme", personId: "per-1" } as const;

export function describeSessions(options: ConformanceOptions): void {
  describe("sessions", () => {
    const harness = useHarness(options);

    const create = async (...rows: readonly SessionRow[]): Promise<void> => {
      for (const row of rows) await harness().storage.sessions.create(row);
    };
    const find = (name: string) => harness().storage.sessions.find({ digest: `digest-${name}` });
    const listed = async (of: { readonly workspace: string; readonly personId: string } = person) =>
      (await harness().storage.sessions.list(of)).map(({ sessionId }) => sessionId);
    const touch = (name: string, seenAtMs: number, idleEndsAtMs: number) =>
      harness().storage.sessions.touch({ digest: `digest-${name}`, seenAtMs, idleEndsAtMs });
    const sweep = (limit: number, beforeMs = 0) => harness().storage.sessions.sweep({ beforeMs, limit });

    it("are found by their digest, as they were created", async () => {
      const plain = session("a", { userAgent: "Größe 😀", address: "192.0.2.1" });
      await create(plain, session("b"));
      expect(await find("a")).toEqual(plain);
      expect(await find("b")).toEqual(session("b"));
      expect(await find("c")).toBeUndefined();
      expect(await listed()).toEqual(["b", "a"]);
    });

    it("refuse a digest or an id that exists, and keep the first session", async () => {
      await create(session("a"));
      const { sessions } = harness().storage;
      const rivals = [session("b", { digest: "digest-a" }), session("b", { sessionId: "a", workspace: "globex" })];
      for (const rival of rivals) expect(await codeOf(sessions.create(rival))).toBe("internal");
      expect(await find("a")).toEqual(session("a"));
      expect(await find("b")).toBeUndefined();
    });

    it("end at the earlier of their two ends, by the clock of the storage", async () => {
      const { clock } = harness();
      await create(
        session("idle", { idleEndsAtMs: startMs + 10, endsAtMs: startMs + 20 }),
        session("absolute", { idleEndsAtMs: startMs + 30, endsAtMs: startMs + 20 }),
      );
      clock.advance(9);
      expect(await listed()).toEqual(["absolute", "idle"]);
      clock.advance(1);
      expect(await find("idle")).toBeUndefined();
      expect(await listed()).toEqual(["absolute"]);
      clock.advance(9);
      expect(await find("absolute")).toBeDefined();
      clock.advance(1);
      expect(await find("absolute")).toBeUndefined();
      expect(await listed()).toEqual([]);
    });

    it("keep the later times of a use, and never outlive their absolute end", async () => {
      const { clock } = harness();
      await create(session("a", { idleEndsAtMs: startMs + 100, endsAtMs: startMs + 150 }));
      await touch("a", startMs + 50, startMs + 200);
      await touch("a", startMs + 40, startMs + 120);
      expect(await find("a")).toMatchObject({ seenAtMs: startMs + 50, idleEndsAtMs: startMs + 200 });
      clock.advance(149);
      expect(await find("a")).toBeDefined();
      clock.advance(1);
      expect(await find("a")).toBeUndefined();
    });

    it("are not brought back by a use after their end", async () => {
      const { storage, clock } = harness();
      await create(session("ended"), session("expired", { idleEndsAtMs: startMs + 10 }));
      expect(await storage.sessions.end({ ...person, sessionId: "ended" })).toBe(true);
      clock.advance(10);
      await touch("ended", startMs + 10, startMs + 900);
      await touch("expired", startMs + 10, startMs + 900);
      expect([await find("ended"), await find("expired")]).toEqual([undefined, undefined]);
      expect(await listed()).toEqual([]);
    });

    it("are ended one by one, and only by the workspace and person that they belong to", async () => {
      const { sessions } = harness().storage;
      await create(session("a"), session("b"), session("c", { personId: "per-2" }));
      expect(await sessions.end({ ...person, workspace: "globex", sessionId: "a" })).toBe(false);
      expect(await sessions.end({ ...person, personId: "per-2", sessionId: "a" })).toBe(false);
      expect(await sessions.end({ ...person, sessionId: "unknown" })).toBe(false);
      expect(await listed()).toEqual(["b", "a"]);
      expect(await sessions.end({ ...person, sessionId: "a" })).toBe(true);
      expect(await sessions.end({ ...person, sessionId: "a" })).toBe(false);
      expect([await find("a"), await listed()]).toEqual([undefined, ["b"]]);
    });

    it("are all ended, or all but one, and other people keep theirs", async () => {
      const { sessions } = harness().storage;
      const others = [session("d", { personId: "per-2" }), session("e", { workspace: "globex" })];
      await create(session("a"), session("b"), session("c"), ...others);
      expect(await sessions.endOf({ ...person, exceptSessionId: "b" })).toBe(2);
      expect(await listed()).toEqual(["b"]);
      expect(await sessions.endOf({ ...person, exceptSessionId: "unknown" })).toBe(1);
      expect(await sessions.endOf(person)).toBe(0);
      expect(await listed()).toEqual([]);
      expect(await listed({ ...person, personId: "per-2" })).toEqual(["d"]);
      expect(await listed({ ...person, workspace: "globex" })).toEqual(["e"]);
    });

    it("count as ended only if they were live", async () => {
      const { storage, clock } = harness();
      await create(session("a", { endsAtMs: startMs + 10 }), session("b", { endsAtMs: startMs + 10 }), session("c"));
      clock.advance(10);
      expect(await storage.sessions.end({ ...person, sessionId: "a" })).toBe(false);
      expect(await storage.sessions.endOf(person)).toBe(1);
    });

    it("stay ended if the clock is set back after their end", async () => {
      const { storage, clock } = harness();
      await create(session("a", { endsAtMs: startMs + 10 }));
      clock.advance(20);
      await storage.sessions.endOf(person);
      clock.advance(-20);
      expect(await find("a")).toBeUndefined();
    });

    it("are not found once the end is answered, however many uses are under way", async () => {
      const { sessions } = harness().storage;
      for (let round = 0; round < 5; round++) {
        const names = Array.from({ length: 6 }, (_, index) => `${round}-${index}`);
        await create(...names.map((name) => session(name)));
        const uses = names.flatMap((name) => [touch(name, startMs + 1, startMs + 900), find(name)]);
        const ended = sessions.endOf(person);
        const later = names.map((name) => touch(name, startMs + 2, startMs + 950));
        expect(await ended).toBe(6);
        const found = await Promise.all(names.map(find));
        expect(found).toEqual(names.map(() => undefined));
        await Promise.all([...uses, ...later]);
        expect(await listed()).toEqual([]);
      }
    });

    it("are counted by one of two concurrent ends each", async () => {
      const { sessions } = harness().storage;
      await create(...["a", "b", "c", "d"].map((name) => session(name)));
      const single = sessions.end({ ...person, sessionId: "a" });
      const [one, first, second] = await Promise.all([single, sessions.endOf(person), sessions.endOf(person)]);
      expect(Number(one) + first + second).toBe(4);
    });

    it("are listed newest first, and at most so many", async () => {
      await create(session("old", { createdAtMs: startMs - 9 }), session("first"), session("second"));
      await create(session("older", { createdAtMs: startMs - 20 }), session("new", { createdAtMs: startMs + 1 }));
      expect(await listed()).toEqual(["new", "second", "first", "old", "older"]);
      const many = Array.from({ length: maxSessionsListed }, (_, index) =>
        session(`many-${index}`, { createdAtMs: startMs + 2 }),
      );
      await Promise.all(many.map((row) => harness().storage.sessions.create(row)));
      const ids = await listed();
      expect(ids).toHaveLength(maxSessionsListed);
      expect(ids.filter((id) => !id.startsWith("many-"))).toEqual([]);
    });

    it("are swept once they have ended, those that ended first first, at most so many at once", async () => {
      const { clock } = harness();
      const ends = [40, 10, 30, 20].map((endsInMs) => session(`${endsInMs}`, { idleEndsAtMs: startMs + endsInMs }));
      await create(...ends, session("live"), session("globex", { workspace: "globex", endsAtMs: startMs + 5 }));
      expect(await sweep(9)).toBe(0);
      clock.advance(30);
      expect(await sweep(2)).toBe(2);
      clock.advance(-30);
      expect([await find("10"), await find("20")]).toMatchObject([undefined, { sessionId: "20" }]);
      clock.advance(30);
      expect(await sweep(9)).toBe(2);
      expect(await sweep(9)).toBe(0);
      expect(await listed()).toEqual(["live", "40"]);
    });

    it("announce their end, once for all that end together, and nothing else", async () => {
      const { storage, changes, clock } = harness();
      const announced = async (work: () => Promise<unknown>): Promise<readonly unknown[]> => {
        const before = changes.length;
        await work();
        return changes.slice(before).filter(({ type }) => type !== "resync");
      };
      const { sessions } = storage;
      const ended = { type: "session_ended", personId: "per-1" };
      expect(await announced(() => create(session("a"), session("b"), session("c")))).toEqual([]);
      expect(await announced(() => touch("a", startMs + 1, startMs + 900))).toEqual([]);
      expect(await announced(() => sessions.noteFailure({ key: "k", atMs: startMs }))).toEqual([]);
      expect(await announced(() => sessions.clearFailures({ key: "k" }))).toEqual([]);
      expect(await announced(() => sessions.end({ ...person, sessionId: "a" }))).toEqual([ended]);
      expect(await announced(() => sessions.end({ ...person, sessionId: "a" }))).toEqual([]);
      expect(await announced(() => sessions.endOf(person))).toEqual([ended]);
      expect(await announced(() => sessions.endOf(person))).toEqual([]);
      await create(session("d", { endsAtMs: startMs + 5 }));
      clock.advance(5);
      expect(await announced(() => sweep(9))).toEqual([]);
    });
  });

  describe("failed sign-ins", () => {
    const harness = useHarness(options);
    const note = (key: string, atMs = startMs) => harness().storage.sessions.noteFailure({ key, atMs });
    const failures = (key: string) => harness().storage.sessions.failures({ key });

    it("are counted for each key until they are cleared, with the latest time", async () => {
      expect(await failures("a")).toBeUndefined();
      expect(await note("a", startMs + 5)).toEqual({ count: 1, lastAtMs: startMs + 5 });
      expect(await note("a", startMs + 3)).toEqual({ count: 2, lastAtMs: startMs + 5 });
      expect(await note("b")).toEqual({ count: 1, lastAtMs: startMs });
      expect(await failures("a")).toEqual({ count: 2, lastAtMs: startMs + 5 });
      await harness().storage.sessions.clearFailures({ key: "a" });
      await harness().storage.sessions.clearFailures({ key: "unknown" });
      expect([await failures("a"), await failures("b")]).toEqual([undefined, { count: 1, lastAtMs: startMs }]);
      expect(await note("a")).toEqual({ count: 1, lastAtMs: startMs });
    });

    it("are all counted, each with another count, however many arrive at once", async () => {
      const noted = await Promise.all(Array.from({ length: 30 }, (_, index) => note("a", startMs + index)));
      expect(noted.map(({ count }) => count).sort((a, b) => a - b)).toEqual(noted.map((_, index) => index + 1));
      expect(await failures("a")).toEqual({ count: 30, lastAtMs: startMs + 29 });
    });

    it("are swept by the time of the last one, at most so many keys at once", async () => {
      const { sessions } = harness().storage;
      for (const [index, key] of ["a", "b", "c", "d"].entries()) await note(key, startMs + index);
      await note("a", startMs + 9);
      expect(await sessions.sweep({ beforeMs: startMs + 3, limit: 1 })).toBe(1);
      expect([await failures("b"), await failures("c")]).toMatchObject([undefined, { count: 1 }]);
      expect(await sessions.sweep({ beforeMs: startMs + 3, limit: 9 })).toBe(1);
      expect(await sessions.sweep({ beforeMs: startMs + 3, limit: 9 })).toBe(0);
      expect([await failures("a"), await failures("d")]).toMatchObject([{ count: 2 }, { count: 1 }]);
    });
  });
}
