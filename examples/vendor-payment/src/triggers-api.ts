import { setTimeout as sleep } from "node:timers/promises";
import type { CreatedTrigger, CreateTriggerRequest, FiredTrigger, Firing, JsonObject } from "@procedo/contract";

/** The triggers of an environment, over HTTP. */
export interface TriggersApi {
  /** Returns the id of the new trigger. */
  create(trigger: CreateTriggerRequest): Promise<string>;
  /**
   * Waits for the first run that a trigger starts.
   *
   * @throws Error if a firing fails, or none starts within the time
   */
  firstRun(triggerId: string, withinMs: number): Promise<StartedFiring>;
  /**
   * Fires a trigger by hand, with the input of the run, and waits for the run.
   *
   * @throws Error if the firing fails, or does not start its run within the time
   */
  fire(triggerId: string, data: JsonObject, withinMs: number): Promise<StartedFiring>;
}

/** A firing that has started its run. */
export type StartedFiring = Firing & { readonly runId: string };

const lookMs = 100;

/** Uses the triggers of the key's environment. */
export function triggersApi({ appUrl, key }: { readonly appUrl: string; readonly key: string }): TriggersApi {
  const ask = async (path: string, body?: object): Promise<unknown> => {
    const answer = await fetch(`${appUrl}/api/v1/${path}`, {
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${path} was refused: ${await answer.text()}`);
    return await answer.json();
  };
  const firingsOf = async (triggerId: string): Promise<readonly Firing[]> =>
    ((await ask(`triggers/${triggerId}/firings`)) as { readonly data: readonly Firing[] }).data;
  const untilStarted = async (
    triggerId: string,
    withinMs: number,
    look: () => Promise<readonly Firing[]>,
  ): Promise<StartedFiring> => {
    for (let waitedMs = 0; waitedMs < withinMs; waitedMs += lookMs) {
      for (const firing of (await look()).toReversed()) {
        if (firing.status === "failed") throw new Error(`A firing failed: ${firing.error?.message ?? ""}`);
        if (firing.runId !== undefined) return { ...firing, runId: firing.runId };
      }
      await sleep(lookMs);
    }
    throw new Error(`The trigger ${triggerId} started no run within ${withinMs} ms.`);
  };
  return {
    create: async (trigger) => ((await ask("triggers", trigger)) as CreatedTrigger).id,
    firstRun: (triggerId, withinMs) => untilStarted(triggerId, withinMs, () => firingsOf(triggerId)),
    async fire(triggerId, data, withinMs) {
      const { firingId } = (await ask(`triggers/${triggerId}/fire`, { data })) as FiredTrigger;
      return await untilStarted(triggerId, withinMs, async () => [
        (await ask(`triggers/${triggerId}/firings/${firingId}`)) as Firing,
      ]);
    },
  };
}
