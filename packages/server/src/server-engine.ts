import { createEngine, type Engine, type Integration, type Log, type Observe } from "@procedo/engine";
import type { OpenData } from "./open-data.ts";
import type { Settings } from "./settings/settings.ts";

/** The engine on a service's data, as the server runs it and the commands use it. Not started. */
export function createServerEngine(given: {
  readonly settings: Pick<Settings, "allowNetworks">;
  readonly data: OpenData;
  readonly integrations: readonly Integration[];
  readonly log: Log;
  readonly observe?: Observe;
}): Engine {
  const { settings, data, integrations, log, observe } = given;
  return createEngine({
    storage: data.storage,
    masterKey: data.masterKey,
    integrations,
    log,
    outgoing: { allowNetworks: settings.allowNetworks },
    ...(observe === undefined ? {} : { observe }),
  });
}
