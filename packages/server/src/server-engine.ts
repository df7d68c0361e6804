import { createEngine, type Engine, type Integration, type Log, type Observe } from "@procedo/engine";
import { customApi } from "@procedo/integrations";
import { services } from "@procedo/integrations/services";
import type { OpenData } from "./opened-data.ts";
import { createServerModels } from "./server-models.ts";
import type { Settings } from "./settings/settings.ts";

/**
 * The engine of the server and its commands: Custom API, the services of `@procedo/integrations/services`, the given
 * integrations, which replace services of the same name, and the models of the settings. It is not started.
 */
export function createServerEngine(given: {
  readonly settings: Pick<Settings, "allowNetworks" | "models">;
  readonly data: OpenData;
  readonly integrations: readonly Integration[];
  readonly log: Log;
  readonly observe?: Observe;
}): Engine {
  const { settings, data, integrations, log, observe } = given;
  const asked = createServerModels(settings);
  const own = new Set(integrations.map(({ name }) => name));
  const engine = createEngine({
    storage: data.storage,
    masterKey: data.masterKey,
    integrations: [customApi(), ...services().filter(({ name }) => !own.has(name)), ...integrations],
    models: asked.models,
    log,
    egress: { allowNetworks: settings.allowNetworks },
    ...(observe === undefined ? {} : { observe }),
  });
  return {
    ...engine,
    stop: async (options) => {
      await engine.stop(options);
      await asked.close();
    },
  };
}
