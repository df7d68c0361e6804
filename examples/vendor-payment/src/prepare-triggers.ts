import { normalName, type Environment } from "@procedo/contract";
import type { Engine } from "@procedo/engine";
import { checkEachMinute, payOnArrival } from "./example-triggers.ts";
import { ana } from "./prepare-workspace.ts";

/** The ids of both triggers. */
export interface PreparedTriggers {
  readonly payOnArrivalId: string;
  readonly checkEachMinuteId: string;
}

/**
 * Creates both triggers, whose runs Ana starts. Those of an earlier start stay as people have changed them: each is known
 * by its kind and maker, the only facts of a trigger that no change touches.
 */
export async function prepareTriggers({ triggers }: Engine, environment: Environment): Promise<PreparedTriggers> {
  const prepare = async (fields: typeof payOnArrival | typeof checkEachMinute): Promise<string> => {
    const page = await triggers.list({ environment, kind: fields.source.kind, limit: 100 });
    const known = page.items.find(({ createdBy }) => createdBy === normalName(ana));
    if (known !== undefined) return known.triggerId;
    return (await triggers.create({ ...fields, environment, by: { person: ana, via: "example" } })).triggerId;
  };
  return { payOnArrivalId: await prepare(payOnArrival), checkEachMinuteId: await prepare(checkEachMinute) };
}
