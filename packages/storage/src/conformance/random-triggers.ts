import type { Scope } from "../scope.ts";
import type { Storage } from "../storage.ts";
import {
  triggerEventKey,
  type ClaimedFiring,
  type DueSchedules,
  type FiringClaim,
  type FiringSettlement,
  type IncomingEvent,
  type Overlap,
  type ScheduleState,
} from "../triggers.ts";
import type { PutResult } from "../records.ts";
import type { CommitResult, RunPlace } from "../runs.ts";
import type { TestClock } from "./harness.ts";
import { readAll } from "./pages.ts";
import type { Random } from "./random.ts";
import type { Step } from "./random-step.ts";
import { firstRow, hot, live, record, row, sandbox } from "./samples.ts";
import { asked, emitted, incoming, source, starting } from "./trigger-samples.ts";

/** The triggers of random calls. */
export const randomTriggers: readonly [string, string, string] = ["trg-0", "trg-1", "trg-2"];

/** Random calls of a pump: claimed firings start runs, are settled or given back, in time or late, once or twice. */
export function triggerSteps(
  random: Random,
  clock: TestClock,
  anyScope: () => Scope,
): readonly [() => Step, ...(() => Step)[]] {
  const claimed: ClaimedFiring[] = [];
  const revisions = new Map<string, number>();
  const open: { readonly scope: Scope; readonly runId: string }[] = [];
  let due: DueSchedules["schedules"] = [];
  let runs = 0;
  let events = 0;

  const scope = (): Scope => (random.chance(0.8) ? sandbox : anyScope());
  const triggerId = (): string => random.pick(randomTriggers);
  const recent = (): ClaimedFiring | undefined => claimed[claimed.length - 1 - random.integer(8)];
  const soon = (): number => clock.now() + random.integer(60) - 20;
  const types = ["payment", "refund"] as const;

  function schedule(): ScheduleState {
    return { accountedAtMs: soon(), dueAtMs: random.chance(0.7) ? soon() : undefined };
  }

  function put(): Step {
    const id = triggerId();
    const environment = random.chance(0.9) ? sandbox.environment : live.environment;
    const of = { ...sandbox, environment };
    const written = record(id, {
      kind: "trigger",
      environment,
      keys: random.some([triggerEventKey(of, source, "payment"), triggerEventKey(of, source, undefined)], 0.7),
      trigger: {
        overlap: random.pick<Overlap>(["skip", "queue_one", "queue", "allow"]),
        maxOpenRuns: random.chance(0.5) ? 1 + random.integer(3) : undefined,
        isHeld: random.chance(0.1),
        schedule: random.pick<ScheduleState | "kept" | undefined>([schedule(), "kept", undefined]),
      },
    });
    const revision = random.chance(0.9) ? (revisions.get(id) ?? 0) : random.integer(3);
    const removes = random.chance(0.15);
    return {
      name: removes ? "remove trigger" : "put trigger",
      call: ({ records }) =>
        removes
          ? records.remove({ ...written, ifRevision: revision })
          : records.put({ record: written, ifRevision: revision }),
      learn: (answer) => {
        if (answer === "removed") revisions.delete(id);
        else if ((answer as PutResult).status === "stored") revisions.set(id, revision + 1);
      },
    };
  }

  function event(of: Scope): IncomingEvent {
    const id = `evt-${random.chance(0.7) ? ++events : random.integer(events + 1)}`;
    const type = random.pick(types);
    return incoming(id, {
      type,
      keys: [triggerEventKey(of, source, type), triggerEventKey(of, source, undefined)],
      dedupeForMs: 1 + random.integer(300),
      ...(random.chance(0.3) ? { occurredAtMs: soon() } : {}),
      ...(random.chance(0.3) ? { headers: '{"host":"a"}' } : {}),
      ...(random.chance(0.1) ? { skip: "too_old" } : {}),
    });
  }

  function take(): Step {
    const of = scope();
    const batch = {
      ...{ scope: of, source, maxBacklog: 1 + random.integer(8) },
      events: Array.from({ length: 1 + random.integer(4) }, () => event(of)),
    };
    return { name: "take", call: ({ triggers }) => triggers.take(batch) };
  }

  function look(): Step {
    const request = {
      ...{ workspace: scope().workspace, limit: random.integer(4) },
      ...(random.chance(0.3) ? { beforeMs: soon() } : {}),
    };
    return {
      name: "due",
      call: ({ triggers }) => triggers.due(request),
      learn: (answer) => void (due = (answer as DueSchedules).schedules),
    };
  }

  function advance(): Step {
    const items = due.map((one) => ({
      ...one,
      ...(random.chance(0.1) ? { revision: 1 + random.integer(3) } : {}),
      firings: Array.from({ length: random.integer(3) }, () => ({
        scheduledAtMs: one.dueAtMs + random.integer(3),
        ...(random.chance(0.3) ? { skipped: { reason: "missed", count: 1 + random.integer(5) } as const } : {}),
      })),
      next: schedule(),
    }));
    return { name: "advance", call: ({ triggers }) => triggers.advance(items) };
  }

  function add(): Step {
    const known = random.chance(0.5) ? recent() : undefined;
    const firings = Array.from({ length: 1 + random.integer(3) }, () => {
      const { requestedBy, ...changes } = asked(`asked-${random.integer(60)}`, {
        ...(known !== undefined && random.chance(0.7) ? { refireOf: known.firingId } : {}),
        ...(random.chance(0.3) ? { scheduledAtMs: soon() } : {}),
      });
      return random.chance(0.5) || requestedBy === undefined ? changes : { ...changes, requestedBy };
    });
    const own = { id: "own", type: "manual", digest: "digest", body: "{}", headers: undefined };
    const withEvents = firings.map((firing) =>
      firing.refireOf === undefined && random.chance(0.5) ? { ...firing, event: own } : firing,
    );
    const request = { scope: known?.scope ?? scope(), triggerId: known?.triggerId ?? triggerId(), firings: withEvents };
    return { name: "add", call: ({ triggers }) => triggers.add(request) };
  }

  function claim(): Step {
    const request = { workspace: scope().workspace, limit: random.integer(5), leaseMs: 1 + random.integer(60) };
    return {
      name: "claim firings",
      call: ({ triggers }) => triggers.claim(request),
      learn: (answer) => void claimed.push(...(answer as FiringClaim).firings),
    };
  }

  function settlement({ scope: of, firingId, epoch }: ClaimedFiring): FiringSettlement {
    const address = random.chance(0.9) ? { scope: of, firingId, epoch } : { scope: scope(), firingId, epoch: 1 };
    const next = random.pick<FiringSettlement["next"]>([
      { status: "skipped", reason: "filtered" },
      { status: "failed", reason: "input_invalid", error: "{}" },
      { status: "pending", dueAtMs: soon() },
    ]);
    return { ...address, next };
  }

  function settle(): Step {
    const items = [recent(), recent()].filter((firing) => firing !== undefined).map(settlement);
    return { name: "settle firings", call: ({ triggers }) => triggers.settle(items) };
  }

  function start(): Step {
    const known = recent();
    const runId = `started-${++runs}`;
    const ended: RunPlace = { kind: "ended", status: "completed", endedAtMs: clock.now() };
    const then = random.chance(0.2) ? ended : hot;
    const fires = random.chance(0.2) ? { events: [emitted(`emitted-${runs}`)] } : {};
    const commit =
      known === undefined
        ? firstRow(runId, { then, ...fires })
        : { ...starting(random.chance(0.9) ? known : { ...known, epoch: known.epoch + 1 }, runId, then), ...fires };
    return {
      name: "start",
      call: ({ runs: store }) => store.commit(commit),
      learn: (answer) => {
        if ((answer as CommitResult).status === "committed" && then === hot) open.push(commit);
      },
    };
  }

  function end(): Step {
    const { scope: of, runId } = open.splice(random.integer(open.length), 1)[0] ?? { scope: sandbox, runId: "none" };
    const status = random.pick(["completed", "failed"] as const);
    const then: RunPlace = { kind: "ended", status, endedAtMs: clock.now() };
    return { name: "end", call: ({ runs: store }) => store.commit(row(runId, 2, { scope: of, then })) };
  }

  function removeExpired(): Step {
    const contentsBeforeMs = clock.now() - random.integer(200);
    const request = { scope: scope(), contentsBeforeMs, firingsBeforeMs: contentsBeforeMs - 200, limit: 1_000 };
    return { name: "remove expired firings", call: ({ triggers }) => triggers.removeExpired(request) };
  }

  return [
    put,
    take,
    take,
    () => (random.chance(0.5) ? look() : advance()),
    add,
    claim,
    claim,
    settle,
    start,
    start,
    () => (random.chance(0.7) ? end() : removeExpired()),
  ];
}

/** The firings and states of the triggers of random calls. */
export async function dumpTriggers(storage: Storage, scope: Scope): Promise<unknown> {
  const firings = await Promise.all(
    randomTriggers.map((triggerId) => readAll(100, (page) => storage.triggers.list({ scope, triggerId, ...page }))),
  );
  const states = await storage.triggers.states({ scope, triggerIds: randomTriggers });
  return {
    firings: await Promise.all(firings.flat().map((firing) => storage.triggers.get(firing))),
    pending: await readAll(2, (page) =>
      storage.triggers.list({ scope, triggerId: "trg-0", status: "pending", ...page }),
    ),
    states: [...states].sort((a, b) => (a.triggerId < b.triggerId ? -1 : 1)),
    runs: await readAll(2, (page) => storage.runs.list({ scope, triggerId: "trg-0", ...page })),
  };
}
