import type { SeededRandom } from "@procedo-testing/faults";
import {
  ActionError,
  defineAction,
  defineIntegration,
  type Action,
  type CallContext,
  type Integration,
} from "@procedo/engine";
import type { JsonObject } from "@procedo/contract";
import { z } from "zod";
import type { History, LedgerRequest } from "./history.ts";
import type { Machine } from "./machine.ts";
import type { LedgerFaults } from "./options.ts";
import type { World } from "./world.ts";

/**
 * The bank of the simulation, which alone knows what was done, and how often. It does the work of an `idempotent`
 * request once per key, and forgets the key after 80 seconds. It does the work of every `once` request that arrives.
 */
export interface Ledger {
  /** The integration through which one machine reaches the ledger. */
  integrationFor(machine: Machine): Integration;
}

export interface LedgerPorts {
  readonly world: World;
  /** The ledger's wall clock, in milliseconds. */
  readonly wallMs: () => number;
  readonly random: SeededRandom;
  readonly history: History;
  readonly faults: () => LedgerFaults;
  /** Called for each request when it leaves an engine. */
  readonly leaving: (request: LedgerRequest, machine: Machine) => void;
}

/** The connection's secret, which must not appear anywhere. */
export const canary = "canary-7f3a9c-ledger-token";

export const ledgerName = "ledger";

/** Actions by their effect. */
export const ledgerActions = { read: "get_balance", idempotent: "put_entry", once: "post_payment" } as const;

/** Short enough for calls to be repeated, and workers replaced, after the ledger has forgotten a key. */
const idempotencyKeyTtlMs = 20_000;

const input = z.object({ amount: z.number(), note: z.unknown().optional() });
const shape = (effect: "read" | "idempotent" | "once") =>
  defineAction({
    description: `The ledger's action with effect ${effect}.`,
    input,
    effect,
    ...(effect === "idempotent" && { idempotencyKeyTtlMs }),
    run: () => Promise.reject(new Error("The simulation answers instead.")),
  });

/** The ledger's actions; the simulation answers in their place. */
export const ledgerTemplate = defineIntegration({
  name: ledgerName,
  secrets: z.object({ token: z.string() }),
  actions: {
    [ledgerActions.read]: shape("read"),
    [ledgerActions.idempotent]: shape("idempotent"),
    [ledgerActions.once]: shape("once"),
  },
});

export function createLedger(ports: LedgerPorts): Ledger {
  const { history } = ports;
  const desk = createDesk(ports);

  const call = (machine: Machine, action: Action, args: JsonObject, context: CallContext): Promise<JsonObject> => {
    const request: LedgerRequest = {
      machine: machine.name,
      runId: context.run.runId,
      nodeId: context.nodeId,
      action: action.name,
      effect: action.effect,
      key: context.idempotencyKey,
      attempt: context.attempt,
      body: JSON.stringify(args),
      sentAtMs: ports.world.nowMs(),
      sentWallMs: ports.wallMs(),
      doneAtMs: [],
      answer: undefined,
    };
    history.requests.push(request);
    ports.leaving(request, machine);
    return answerOf(ports, desk, machine, request, context);
  };

  return {
    integrationFor: (machine) => ({
      ...ledgerTemplate,
      actions: new Map(
        [...ledgerTemplate.actions].map(([name, action]) => [
          name,
          {
            ...action,
            call: async (args, context) => ({ output: await call(machine, action, args, context), violations: [] }),
          },
        ]),
      ),
    }),
  };
}

/** Settles requests. An `idempotent` key receives its first answer again until the ledger forgets the key. */
interface Desk {
  /** Does the work; `undefined` if this key was refused before. */
  perform(request: LedgerRequest): JsonObject | undefined;
  /** Refuses; `false` if the work of this key is already done. */
  refuse(request: LedgerRequest): boolean;
}

/** The action's own time, and a minute for clocks that differ. */
const keyTtlMs = idempotencyKeyTtlMs + 60_000;

function createDesk({ world, wallMs, random }: LedgerPorts): Desk {
  const settled = new Map<string, { readonly result: JsonObject | undefined; readonly atMs: number }>();
  let work = 0;
  // The age at the time of sending: a clock jump while the request is on its way does not age the key.
  const known = ({ key, sentWallMs }: LedgerRequest) => {
    const found = settled.get(key);
    return found !== undefined && sentWallMs - found.atMs <= keyTtlMs ? found : undefined;
  };
  return {
    perform: (request) => {
      const before = request.effect === "idempotent" ? known(request) : undefined;
      if (before !== undefined) return before.result;
      work += 1;
      request.doneAtMs.push(world.nowMs());
      const result = { id: `${request.effect}-${work}`, n: random.between(0, 9) };
      settled.set(request.key, { result, atMs: wallMs() });
      return result;
    },
    refuse: (request) => {
      if (request.effect !== "idempotent") return true;
      if (known(request)?.result !== undefined) return false;
      settled.set(request.key, { result: undefined, atMs: wallMs() });
      return true;
    },
  };
}

type Fate = "ok" | "refused" | "busy" | "notSent" | "doubtful" | "slow" | "silent" | "garbage";

function fateOf(random: SeededRandom, faults: LedgerFaults): Fate {
  for (const fate of ["refused", "busy", "notSent", "doubtful", "slow", "silent", "garbage"] as const) {
    if (random.chance(faults[fate])) return fate;
  }
  return "ok";
}

/** Simulates a request: on the wire, at the ledger, and on the way back. */
function answerOf(
  { world, random, faults }: LedgerPorts,
  desk: Desk,
  machine: Machine,
  request: LedgerRequest,
  context: CallContext,
): Promise<JsonObject> {
  const fate = fateOf(random, faults());
  const delay = (): number => random.between(0, faults().latencyMs);
  const secret = random.chance(faults().indiscreet) ? ` (token ${context.secrets["token"] ?? ""})` : "";
  const obedient = random.chance(faults().obedient);
  world.note(`${machine.name} sends ${request.action} ${request.key} ${request.attempt} ${fate}`);

  return new Promise((resolve, reject) => {
    let over = false;
    const reply = (delayMs: number, settle: () => LedgerRequest["answer"]): void => {
      world.after(delayMs, () =>
        machine.deliver(() => {
          if (over) return;
          over = true;
          request.answer = settle();
        }),
      );
    };
    const ok = (output: JsonObject, delayMs: number): void =>
      reply(delayMs, () => {
        const told = secret === "" ? output : { ...output, note: `paid${secret}` };
        resolve(told);
        return { atMs: world.nowMs(), ok: true, text: JSON.stringify(output) };
      });
    const fail = (error: Error, delayMs: number): void =>
      reply(delayMs, () => {
        reject(error);
        return { atMs: world.nowMs(), ok: false, text: error.message };
      });
    if (obedient) {
      context.signal.addEventListener("abort", () => {
        if (!over) fail(new Error("The connection was closed."), 0);
      });
    }

    const refused = (): void =>
      fail(new ActionError(`Refused${secret}.`, { details: { reason: `no${secret}` } }), delay());
    const done = (delayMs: number): void => {
      const output = desk.perform(request);
      if (output === undefined) refused();
      else ok(output, delayMs);
    };

    if (fate === "notSent") return fail(new ActionError("No route.", { outcome: "not_sent" }), 0);
    world.after(delay(), () => {
      // A request on the wire when its sender died may have been lost.
      if (!machine.alive && random.chance(0.5)) return;
      switch (fate) {
        case "ok":
          return done(delay());
        case "slow":
          return done(random.between(100, 8_000));
        case "refused":
          return desk.refuse(request) ? refused() : done(delay());
        case "busy": {
          const retryAfterMs = random.chance(0.3) ? { retryAfterMs: random.between(1, 2_000) } : {};
          return fail(new ActionError("Busy.", { retryable: true, ...retryAfterMs }), delay());
        }
        case "doubtful": {
          const when = random.pick(["never", "now", "later"]);
          if (when === "now") desk.perform(request);
          if (when === "later") world.after(random.between(1, 3_000), () => void desk.perform(request));
          const error = random.chance(0.5)
            ? new ActionError(`Broken pipe${secret}.`, { outcome: "unknown" })
            : new Error(`Broken pipe${secret}.`);
          return fail(error, delay());
        }
        case "silent":
          if (random.chance(0.5)) desk.perform(request);
          return;
        case "garbage":
          desk.perform(request);
          return reply(delay(), () => {
            resolve({ id: Number.NaN });
            return { atMs: world.nowMs(), ok: false, text: "garbage" };
          });
        default:
          return;
      }
    });
  });
}
