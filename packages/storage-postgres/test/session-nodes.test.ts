import type { Change, SessionRow } from "@procedo/storage";
import { expect, it, vi } from "vitest";
import { startMs, together, useThreeNodes } from "./three-nodes.ts";

const nodes = useThreeNodes({ circlesHang: true });
const person = { workspace: "acme", personId: "per-1" };

function session(sessionId: string): SessionRow {
  const times = { createdAtMs: startMs, seenAtMs: startMs, idleEndsAtMs: startMs + 1_000, endsAtMs: startMs + 9_000 };
  return { ...person, sessionId, digest: `digest-${sessionId}`, ...times };
}

it("failed sign-ins at three nodes are all counted, each with another count", async () => {
  const { node } = nodes();
  const noted = await together(30, (number) => node(number).sessions.noteFailure({ key: "key-1", atMs: startMs }));
  expect(noted.map(({ count }) => count).sort((a, b) => a - b)).toEqual(noted.map((_, index) => index + 1));
});

it("sessions that end at one node are found at none, and the other nodes are notified", async () => {
  const { node, storages } = nodes();
  const received: Change[] = [];
  storages[1].watch((change) => void (change.type !== "resync" && received.push(change)));
  await storages[0].sessions.create(session("a"));
  expect(await storages[1].sessions.find(session("a"))).toEqual(session("a"));
  expect(await storages[0].sessions.endOf(person)).toBe(1);
  await together(3, async (number) => expect(await node(number).sessions.find(session("a"))).toBeUndefined());
  await vi.waitFor(() => expect(received).toEqual([{ type: "session_ended", personId: "per-1" }]));
});

it("uses, ends and sweeps of the same sessions at three nodes neither wait for each other in a circle nor end one twice", async () => {
  const { node, advance } = nodes();
  for (let round = 0; round < 5; round++) {
    const names = Array.from({ length: 20 }, (_, index) => `${round}-${index}`);
    await together(20, (number) => node(number).sessions.create(session(names[number] ?? "")));
    const ended = await together(60, async (number) => {
      const { sessions } = node(number);
      const digest = `digest-${round}-${number % 20}`;
      if (number % 3 === 0) return await sessions.endOf(person);
      if (number % 3 === 1) await sessions.touch({ digest, seenAtMs: startMs + 1, idleEndsAtMs: startMs + 2_000 });
      else await sessions.sweep({ beforeMs: startMs, limit: 9 });
      return 0;
    });
    expect(ended.reduce((sum, count) => sum + count, 0)).toBe(20);
    expect(await node(round).sessions.list(person)).toEqual([]);
  }
  advance(10_000);
  expect(await node(0).sessions.sweep({ beforeMs: startMs, limit: 9 })).toBe(0);
});
