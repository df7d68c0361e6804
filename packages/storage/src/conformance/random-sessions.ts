import type { TestClock } from "./harness.ts";
import type { Random } from "./random.ts";
import type { Step } from "./random-step.ts";
import { session } from "./samples.ts";

/** People, and keys of failed sign-ins, of the random calls. */
export const randomPeople = ["per-0", "per-1"] as const;
export const randomKeys = ["key-0", "key-1"] as const;

/** Random sign-ins, uses and ends of sessions with few ids, and failed sign-ins. */
export function sessionSteps(random: Random, clock: TestClock): readonly [() => Step, ...(() => Step)[]] {
  let sessions = 0;

  const anyId = (): string => `session-${Math.max(0, sessions - random.integer(5))}`;
  const person = () => ({ workspace: random.chance(0.9) ? "acme" : "globex", personId: random.pick(randomPeople) });
  const soon = (): number => clock.now() + random.integer(200) - 20;

  function create(): Step {
    if (random.chance(0.9)) sessions += 1;
    const row = session(`session-${sessions}`, {
      ...person(),
      createdAtMs: clock.now(),
      idleEndsAtMs: soon(),
      endsAtMs: soon() + 100,
      ...(random.chance(0.3) ? { address: "192.0.2.1" } : {}),
    });
    return { name: "create a session", call: ({ sessions: store }) => store.create(row) };
  }

  function use(): Step {
    const request = { digest: `digest-${anyId()}`, seenAtMs: soon(), idleEndsAtMs: soon() };
    if (random.chance(0.5)) return { name: "touch", call: ({ sessions: store }) => store.touch(request) };
    return { name: "find a session", call: ({ sessions: store }) => store.find(request) };
  }

  function end(): Step {
    const request = { ...person(), sessionId: anyId() };
    if (random.chance(0.6)) return { name: "end a session", call: ({ sessions: store }) => store.end(request) };
    const { sessionId, ...all } = request;
    const others = random.chance(0.5) ? { ...all, exceptSessionId: sessionId } : all;
    return { name: "end sessions", call: ({ sessions: store }) => store.endOf(others) };
  }

  function sweep(): Step {
    const request = { beforeMs: soon() - 200, limit: 1_000 };
    return { name: "sweep sessions", call: ({ sessions: store }) => store.sweep(request) };
  }

  function fail(): Step {
    const request = { key: random.pick(randomKeys), atMs: soon() };
    if (random.chance(0.2))
      return { name: "clear failures", call: ({ sessions: store }) => store.clearFailures(request) };
    return { name: "note a failure", call: ({ sessions: store }) => store.noteFailure(request) };
  }

  return [create, create, use, use, end, sweep, fail];
}
