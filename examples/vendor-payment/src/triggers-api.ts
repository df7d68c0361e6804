import { setTimeout as sleep } from "node:timers/promises";
import type { CreatedTrigger, CreateTriggerRequest, Firing } from "@procedo/contract";

/** The triggers of an environment, over HTTP. */
export interface TriggersApi {
  /** Returns the id of the new trigger. */
  create(trigger: CreateTriggerRequest): Promise<string>;
  /**
   * Waits for the first run that a trigger starts.
   *
   * @throws Error if a firing fails, or none starts within the time
   */
  firstRun(triggerId: string, withinMs: number): Promise<Firing & { readonly runId: string }>;
}

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
  return {
    create: async (trigger) => ((await ask("triggers", trigger)) as CreatedTrigger).id,
    async firstRun(triggerId, withinMs) {
      for (let waitedMs = 0; waitedMs < withinMs; waitedMs += lookMs) {
        const { data } = (await ask(`triggers/${triggerId}/firings`)) as { readonly data: readonly Firing[] };
        for (const firing of data.toReversed()) {
          if (firing.status === "failed") throw new Error(`A firing failed: ${firing.error?.message ?? ""}`);
          if (firing.runId !== undefined) return { ...firing, runId: firing.runId };
        }
        await sleep(lookMs);
      }
      throw new Error(`The trigger ${triggerId} started no run within ${withinMs} ms.`);
    },
  };
}
