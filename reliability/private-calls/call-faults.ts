import { concurrently } from "../crash/concurrently.ts";
import { tally, type Tally } from "../crash/tally.ts";
import { forTier, type ProofGroup, type ProofOptions } from "../proof-group.ts";
import { factor } from "./fast-time.ts";
import type { Kind, Passing } from "./front.ts";
import { judgeCalls, wasNotCalled } from "./judge-calls.ts";
import type { ClientMessage, FunctionName, Killable } from "./processes.ts";
import { createCallsWorld, type CallsWorld, type EndedRun } from "./world.ts";

/** The moment of a call at which a fault happens. */
const moments = ["polled", "acknowledging", "acknowledged", "running", "finished", "answered"] as const;
type Moment = (typeof moments)[number];

/**
 * `lost`: no process dies, but a message does not arrive. `drain`: the service is drained and restarted. `outage`: it
 * is killed, and unavailable for longer than the lease of a call.
 */
type Victim = "client" | "service" | "drain" | "outage" | "lost";

interface Case {
  readonly victim: Victim;
  readonly moment: Moment;
  readonly name: FunctionName;
  /** Whether it happens to two calls whose results are sent together. */
  readonly paired: boolean;
}

/** Longer than a lease, by the machine's clock. */
const outageMs = 65_000 / factor;
/** The time for which a client certainly keeps the lease of its call. */
const leaseKeptMs = 35_000 / factor;

const timesOf = { commit: 1, nightly: 20, release: 20 };
const lanes = 4;

/**
 * The possible faults. An idempotent function is called without an acknowledgement. A lost message has no moment in the
 * handler. A fault before the result is the same for one call and for a pair.
 */
function isPossible({ victim, moment, name, paired }: Case): boolean {
  const isOfResult = moment === "finished" || moment === "answered";
  if (paired && !isOfResult) return false;
  // An outage only adds that leases end, which is the same at every moment of a call that has begun.
  if (victim === "outage" && (paired || !["acknowledged", "running", "finished"].includes(moment))) return false;
  if (name === "look" && moment.startsWith("acknowledg")) return false;
  return victim !== "lost" || moment !== "running";
}

function faultGroup(id: string, title: string, victims: readonly Victim[]): ProofGroup {
  return {
    id,
    title,
    isSeeded: false,
    run: async (options) => {
      const times = options.seeds ?? forTier(options.tier, timesOf);
      const kinds = victims.flatMap((victim) =>
        moments.flatMap((moment) =>
          (["pay", "look"] as const).flatMap((name) =>
            [false, true].map((paired) => ({ victim, moment, name, paired })),
          ),
        ),
      );
      const cases = Array.from({ length: times }, () => kinds.filter(isPossible)).flat();
      const total = tally();
      await concurrently(cases, lanes, (dealt, lane) => inWorld(`${id}-${lane}`, dealt, total, options));
      const ofResults = (["finished", "answered"] as const).flatMap((moment) =>
        victims.map((victim) => ({ victim, moment })),
      );
      const { counts } = total.result();
      // On a busy machine one of a pair may be late, and then its result is sent alone.
      if (ofResults.every((one) => counts[together(one)] === undefined)) {
        total.fail(`${id}: no fault happened to results that were sent together`);
      }
      return total.result();
    },
  };
}

export const callFaultGroups: readonly ProofGroup[] = [
  faultGroup("private-lost-messages", "Every request and answer of a call lost, including those of polls and results", [
    "lost",
  ]),
  faultGroup("private-client-kills", "SIGKILL of the client at every moment of a call", ["client"]),
  faultGroup(
    "private-service-kills",
    "SIGKILL, drain and outage past a call's lease of the service, at every moment of a call",
    ["service", "drain", "outage"],
  ),
];

async function inWorld(name: string, cases: readonly Case[], total: Tally, { report }: ProofOptions): Promise<void> {
  const world = await createCallsWorld(name.toLowerCase());
  const ended: EndedRun[] = [];
  try {
    let client = await world.startClient("c0", { workMs: 100 });
    for (const [number, one] of cases.entries()) {
      const { victim, moment, name: called, paired } = one;
      const fault = arm(world, client, one);
      const pair = paired ? number + 1 : 0;
      const started = await Promise.all((paired ? [pair, pair] : [pair]).map((own) => world.start(called, own)));
      const { isTogether, awayMs } = await Promise.race([fault.happened, world.broken]);
      if (victim === "client") client = await world.startClient(`c${number + 1}`, { workMs: 100 });
      const runs = await Promise.all(started.map((run) => world.waitForEnd(run)));
      ended.push(...runs);
      total.add(isTogether ? together(one) : `${victim} ${moment}`);
      for (const run of runs) {
        total.add(endOf(run));
        if (run.said?.decided === true) total.add(`${victim} decided by a person`);
        // Its client lived, and the service was back before the lease could end.
        if (run.said?.decided === true && victim === "drain" && awayMs < leaseKeptMs) {
          total.fail(
            `${name}: run ${run.runId}: a person was asked about a call whose client lived: drained ${moment}`,
          );
        }
        report(`${name} ${number}: ${victim} ${moment} ${called}: ${run.status}`);
      }
    }
    const { accepted } = world.front;
    for (const failure of judgeCalls({ ended, made: world.made(), accepted })) total.fail(`${name}: ${failure}`);
  } finally {
    await world.close();
  }
}

const together = ({ victim, moment }: Pick<Case, "victim" | "moment">): string => `${victim} ${moment} together`;

interface Happened {
  /** Whether the message concerned several results. */
  readonly isTogether: boolean;
  /** The time without service, in milliseconds of the machine's clock; only of a drain. */
  readonly awayMs: number;
}

/** Applies the fault to the next call. */
function arm(world: CallsWorld, client: Killable, { victim, moment }: Case): { readonly happened: Promise<Happened> } {
  const happened = Promise.withResolvers<Happened>();
  const strike = async (kind?: Kind): Promise<void> => {
    world.front.watch = () => Promise.resolve("passes");
    const isTogether = kind === "results";
    if (victim === "drain") {
      // A drain ends when its requests are answered, including the one that is held here.
      world.drainService().then((awayMs) => happened.resolve({ isTogether, awayMs }), happened.reject);
      return;
    }
    if (victim === "client") await client.kill();
    if (victim === "service") await world.killService();
    if (victim === "outage") await world.outage(outageMs);
    happened.resolve({ isTogether, awayMs: 0 });
  };
  if (moment === "running") {
    const { runs } = world;
    const hear = (message: unknown): void => {
      const told = message as ClientMessage;
      // Messages of earlier calls that had no listener arrive now.
      if (told.type !== "running" || told.n <= runs) return;
      client.child.off("message", hear);
      void strike();
    };
    client.child.on("message", hear);
    return { happened: happened.promise };
  }
  world.front.watch = async (passing) => {
    if (!isAt(moment, passing)) return "passes";
    await strike(passing.kind);
    if (victim === "drain") return "passes";
    // Earlier answers of the service arrive. Its last one does not, so that the client has to ask again.
    return victim === "service" && (moment === "polled" || moment === "acknowledged") ? "passes" : "lost";
  };
  return { happened: happened.promise };
}

function isAt(moment: Exclude<Moment, "running">, { kind, status }: Passing): boolean {
  switch (moment) {
    case "polled":
      return kind === "poll" && status === 200;
    case "acknowledging":
      return kind === "heartbeat" && status === undefined;
    case "acknowledged":
      return kind === "heartbeat" && status === 200;
    case "finished":
      return isResult(kind) && status === undefined;
    case "answered":
      return isResult(kind) && status === 200;
  }
}

const isResult = (kind: Kind): boolean => kind === "result" || kind === "results";

function endOf({ said, error }: EndedRun): string {
  if (said?.decided === true) return "decided by a person";
  return wasNotCalled(error) ? "told that it was not called" : "answered";
}
