import { optionsOf, type SimulationOptions } from "../simulation/options.ts";
import { withTriggers } from "../simulation/trigger-simulation.ts";

/** The simulations that search for seeded bugs, by name. */
export const scenarios = { faults: optionsOf, triggers: withTriggers } satisfies {
  readonly [name: string]: (seed: number) => SimulationOptions;
};

export type ScenarioName = keyof typeof scenarios;
