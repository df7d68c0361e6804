import { ProcedoError } from "@procedo/contract";
import type { Triggers } from "./triggers.ts";

/** Placeholder until the module exists. */
export function unbuilt<T extends Triggers>(): T {
  return new Proxy({} as T, {
    get: (_target, name) => () =>
      name === "unfit"
        ? Promise.resolve([])
        : Promise.reject(new ProcedoError("internal", "Triggers are not built yet.")),
  });
}
