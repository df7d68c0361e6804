import type { Scope } from "../scope.ts";
import type { ClaimedFiring, FiringClaim, FiringSettlement } from "../firings.ts";
import type { DueSchedules, TriggerGate } from "../triggers.ts";
import type { CommitResult } from "../runs.ts";
import type { TestClock } from "./harness.ts";
import type { Random } from "./random.ts";
import type { Step } from "./random-step.ts";
import { completed, live, row, sandbox } from "./samples.ts";
import { asked, incoming, put, returned, skipped, source, starting, trigger } from "./trigger-samples.ts";
import { failed } from "./trigger-samples.ts";

/** The ids of the triggers of {@link triggerSteps}. */
export const randomTriggers = ["trg-0", "trg-1", "trg-2"] as const;

/** Random calls of services, people and the workers that start the runs of firings, in time or late. */
export function triggerSteps(
  random: Random,
  clock: TestClock,
  scope: () => Scope,
): readonly [() => Step, ...(() => Step)[]] {
  const claimed: ClaimedFiring[] = [];
  const started: ClaimedFiring[] = [];
  let schedules: DueSchedules["schedules"] = [];
  let runs = 0;

  const recent = (): ClaimedFiring | undefined => claimed[claimed.length - 1 - random.integer(8)];
  const triggerId = (): string => random.pick(randomTriggers);
  const soon = (): number => clock.now() + random.integer(60) - 20;

  function gate(): TriggerGate {
    const schedule = random.pick<TriggerGate["schedule"]>([
      "kept",
      undefined,
      { accountedAtMs: clock.now(), dueAtMs: soon() },
      { accountedAtMs: clock.now(), dueAtMs: undefined },
    ]);
    return {
      overlap: random.pick(["skip", "queue_one", "queue", "allow"]),
      maxOpenRuns: random.chance(0.5) ? 1 + random.integer(3) : undefined,
      isHeld: random.chance(0.2),
      schedule,
    };
  }

  function write(): Step {
    const written = trigger(triggerId(), gate(), { scope: random.pick([sandbox, sandbox, sandbox, live]) });
    if (random.chance(0.1)) return { name: "remove a trigger", call: ({ records }) => records.remove(written) };
    return { name: "trigger", call: (storage) => put(storage, written) };
  }

  function take(): Step {
    const at = scope();
    const events = Array.from({ length: 1 + random.integer(4) }, () =>
      incoming(`evt-${random.integer(9)}`, {
        scope: at,
        dedupeForMs: 1 + random.integer(90),
        occurredAtMs: random.chance(0.5) ? soon() : undefined,
        headers: random.chance(0.5) ? "{}" : undefined,
        ...(random.chance(0.1) ? { skip: "too_old" } : {}),
      }),
    );
    const batch = { scope: at, source, events, maxBacklog: random.chance(0.9) ? 30 : 1 + random.integer(3) };
    return { name: "take", call: ({ triggers }) => triggers.take(batch) };
  }

  function claim(): Step {
    const { workspace } = scope();
    const limits = { sandbox: random.integer(5), live: random.integer(5) };
    const request = { workspace, limits, leaseMs: 1 + random.integer(50) };
    return {
      name: "claim firings",
      call: async ({ triggers }) => {
        const { skipped: ended, ...rest } = await triggers.claim(request);
        return { ...rest, skipped: [...ended].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)) };
      },
      learn: (answer) => void claimed.push(...(answer as FiringClaim).firings),
    };
  }

  function settlement(firing: ClaimedFiring): FiringSettlement {
    const known = random.chance(0.9) ? firing : { ...firing, scope: scope(), epoch: random.integer(4) };
    if (random.chance(0.4)) return returned(known, random.integer(40));
    return random.chance(0.5) ? skipped(known) : failed(known);
  }

  function settle(): Step {
    const firings = Array.from({ length: 1 + random.integer(3) }, recent).filter((firing) => firing !== undefined);
    const items = firings.map(settlement);
    return { name: "settle firings", call: ({ triggers }) => triggers.settle(items) };
  }

  function start(): Step {
    const firing = recent();
    if (firing === undefined) return take();
    const epoch = random.chance(0.9) ? firing.epoch : random.integer(4);
    runs += 1;
    const commit = starting({ ...firing, epoch }, `fired-${runs}`);
    return {
      name: "start a firing",
      call: (storage) => storage.runs.commit(commit),
      learn: (answer) => {
        if ((answer as CommitResult).status === "committed") started.push({ ...firing, firingId: commit.runId });
      },
    };
  }

  /** Ends a run that a firing started, unless a worker has claimed it in the meantime. */
  function end(): Step {
    const { scope: at = sandbox, firingId: runId = "none" } = started.shift() ?? {};
    const status = random.pick(["completed", "failed"] as const);
    const commit = row(runId, 2, { scope: at, then: { ...completed, status, endedAtMs: clock.now() } });
    return { name: "end a fired run", call: (storage) => storage.runs.commit(commit) };
  }

  function look(): Step {
    const request = { workspace: scope().workspace, limit: random.integer(4) };
    return {
      name: "due schedules",
      call: ({ triggers }) => triggers.due(request),
      learn: (answer) => {
        schedules = (answer as DueSchedules).schedules;
      },
    };
  }

  function advance(): Step {
    const items = schedules.map(({ scope: at, triggerId: id, revision, dueAtMs }) => ({
      scope: random.chance(0.9) ? at : scope(),
      triggerId: id,
      revision: random.chance(0.9) ? revision : random.integer(4),
      dueAtMs,
      firings: [
        ...(random.chance(0.7) ? [{ scheduledAtMs: dueAtMs }] : []),
        ...(random.chance(0.3)
          ? [{ scheduledAtMs: dueAtMs - 5, skipped: { reason: "missed", count: 1 + random.integer(9) } as const }]
          : []),
      ],
      next: { accountedAtMs: dueAtMs, dueAtMs: random.chance(0.8) ? soon() : undefined },
    }));
    return { name: "advance", call: ({ triggers }) => triggers.advance(items) };
  }

  function add(): Step {
    const refireOf = random.chance(0.5) ? recent()?.firingId : undefined;
    const event = { id: "mine", type: "manual", digest: "d", body: "{}", headers: undefined };
    const firing = asked(`key-${random.integer(30)}`, {
      ...(refireOf === undefined ? {} : { refireOf }),
      ...(random.chance(0.3) ? { event } : {}),
      ...(random.chance(0.3) ? { scheduledAtMs: soon() } : {}),
    });
    const request = { scope: scope(), triggerId: triggerId(), firings: [firing] };
    return { name: "add firings", call: ({ triggers }) => triggers.add(request) };
  }

  function endPending(): Step {
    const request = { scope: scope(), reason: "restored", limit: 1_000 };
    return { name: "end pending firings", call: ({ triggers }) => triggers.endPending(request) };
  }

  function removeExpired(): Step {
    const ages = { contentsOlderThanMs: random.integer(200), firingsOlderThanMs: random.integer(600) };
    const request = { scope: scope(), ...ages, limit: 1_000 };
    return { name: "remove expired firings", call: ({ triggers }) => triggers.removeExpired(request) };
  }

  return [
    write,
    take,
    take,
    claim,
    claim,
    start,
    start,
    () => (random.chance(0.6) ? settle() : random.chance(0.95) ? add() : endPending()),
    end,
    () => (random.chance(0.5) ? look() : advance()),
    () => (random.chance(0.2) ? removeExpired() : advance()),
  ];
}
