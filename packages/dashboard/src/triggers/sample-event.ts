import type { components } from "../api/schema.d.ts";
import type { EventType } from "./use-event-types.ts";

type GivenSource = components["schemas"]["GivenTriggerSource"];

/** A sample of the event that a source gives; `undefined` for a schedule, which has none. */
export function sampleEvent(source: GivenSource, typesOf: (connection: string) => readonly EventType[]): unknown {
  switch (source.kind) {
    case "schedule":
      return undefined;
    case "integration": {
      const [first = ""] = source.events;
      return typesOf(source.connection).find(({ type }) => type === first)?.sample ?? {};
    }
    case "webhook":
      return {};
    case "event":
      return { runId: "run_sample", procedureId: source.procedureId ?? "procedure", name: source.name, payload: {} };
  }
}

export function jsonText(value: unknown): string {
  return value === undefined ? "" : JSON.stringify(value, undefined, 2);
}
