import { useQuery } from "@tanstack/react-query";
import type { components } from "../api/schema.d.ts";
import { useEnvironment } from "../shell/environment.ts";
import { connectionsByName, integrationEvents } from "./use-triggers.ts";

export type EventType = components["schemas"]["InboundEventType"];

/** Finds the events of a connection by its name. Nothing is found until they are read. */
export function useEventTypes(isNeeded: boolean): (connection: string) => readonly EventType[] {
  const environment = useEnvironment();
  const connections = useQuery({ ...connectionsByName(environment), enabled: isNeeded }).data;
  const events = useQuery({ ...integrationEvents(environment), enabled: isNeeded }).data;
  return (name) => events?.get(connections?.get(name)?.integration ?? "") ?? [];
}
