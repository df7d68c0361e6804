import { createEngine, type Engine, type Integration, type Log, type Observe } from "@procedo/engine";
import type { Storage } from "@procedo/storage";
import type { Settings } from "./settings/settings.ts";

/** The engine of a data folder, as the server runs it and the commands use it. Not started. */
export function createServerEngine(given: {
  readonly settings: Pick<Settings, "allowNetworks">;
  readonly folder: { readonly storage: Storage; readonly masterKey: Uint8Array };
  readonly integrations: readonly Integration[];
  readonly log: Log;
  readonly observe?: Observe;
}): Engine {
  const { settings, folder, integrations, log, observe } = given;
  return createEngine({
    storage: folder.storage,
    masterKey: folder.masterKey,
    integrations,
    log,
    outgoing: { allowNetworks: settings.allowNetworks },
    ...(observe === undefined ? {} : { observe }),
  });
}
