import { ProcedoError } from "@procedo/contract";
import type { TriggerStore } from "./triggers.ts";

/** Placeholder until the adapter's store exists. */
export function unbuiltTriggers(): TriggerStore {
  return new Proxy({} as TriggerStore, {
    get: () => () => Promise.reject(new ProcedoError("internal", "Triggers are not stored yet.")),
  });
}
