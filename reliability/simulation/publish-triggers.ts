import type { SeededRandom } from "@procedo-testing/faults";
import { createEngine, type Engine } from "@procedo/engine";
import type { Storage } from "@procedo/storage";
import { masterKey } from "./cluster.ts";
import type { Hook } from "./event-senders.ts";
import type { History } from "./history.ts";
import type { Ledger } from "./ledger.ts";
import { createMachine, epochMs } from "./machine.ts";
import type { SimulationOptions, TriggerLoad } from "./options.ts";
import { maxAmount, starter } from "./random-procedure.ts";
import type { World } from "./world.ts";

const environment = "live";
const header = "x-token";
const overlaps = ["skip", "queue_one", "queue", "allow"] as const;

/** Creates the triggers of a seed: schedules, an address for events, and the events of one procedure for another. */
export async function publishTriggers(
  ports: {
    readonly world: World;
    readonly random: SeededRandom;
    readonly history: History;
    readonly storage: Storage;
    readonly ledger: Ledger;
    readonly options: SimulationOptions;
  },
  load: TriggerLoad,
  procedureIds: readonly string[],
): Promise<readonly Hook[]> {
  const { random, history, options } = ports;
  const machine = createMachine(ports.world, "setup", () => 0);
  const { triggers } = createEngine({
    storage: ports.storage,
    integrations: [ports.ledger.integrationFor(machine)],
    masterKey,
    clock: machine.clock,
    random,
  });
  type NewTrigger = Parameters<Engine["triggers"]["create"]>[0];
  const create = (trigger: Omit<NewTrigger, "environment" | "by" | "input">) =>
    triggers.create({
      ...trigger,
      environment,
      by: { person: starter },
      input: { amount: random.between(0, maxAmount), marker: trigger.name },
    });

  for (let number = 0; number < load.schedules; number++) {
    const name = `schedule-${number}`;
    const everyMinutes = random.pick([1, 1, 2, 3]);
    const endsAtMs = epochMs + options.faultsForMs;
    const catchUp = random.pick(["none", "latest", "all"] as const);
    const overlap = random.pick(catchUp === "all" ? overlaps.slice(1) : overlaps);
    const cron = `*/${everyMinutes} * * * *`;
    const endsAt = new Date(endsAtMs).toISOString();
    await create({
      name,
      procedureId: random.pick(procedureIds),
      source: { kind: "schedule", cron, timeZone: "Etc/UTC", catchUp, endsAt },
      overlap,
    });
    const catchesUp = catchUp !== "none";
    const mayOverlap = overlap === "allow";
    history.triggers.push({ kind: "times", name, environment, mayOverlap, everyMinutes, catchesUp, endsAtMs });
  }
  const [first, second] = procedureIds;
  if (first === undefined) throw new Error("A seed has at least one procedure.");
  if (second !== undefined) {
    const [event, name] = ["custom.done", "emitted"];
    await create({ name, procedureId: first, source: { kind: "event", name: event, procedureId: second } });
    history.triggers.push({ kind: "emitted", name, environment, mayOverlap: true, event, procedureId: second });
  }
  const name = "hook";
  const overlap = random.pick(overlaps);
  const { inbound, secret } = await create({
    name,
    procedureId: random.pick(procedureIds),
    source: {
      kind: "webhook",
      authentication: { scheme: "token", header },
      dedupe: { by: "expression", expression: "event.id" },
    },
    overlap,
  });
  if (inbound === undefined || secret === undefined) throw new Error("The webhook trigger has no address.");
  const events = {
    kind: "events",
    name,
    environment,
    mayOverlap: overlap === "allow",
    sent: new Set<string>(),
    acknowledged: new Set<string>(),
  } as const;
  history.triggers.push(events);
  return [{ address: inbound.address, header, secret, events }];
}
