import type { ImportProblem } from "../imported-api.ts";
import type { SchemaUnit } from "./schema-unit.ts";

/** Knows of every schema an error that it reaches, however far away, without walking there for each that asks. */
export interface ReachedErrors {
  /** `units` are new, and everything that they refer to is among them or was settled before. */
  settle(units: readonly SchemaUnit[]): void;
  /** One of them; `undefined`: it reaches none. */
  of(unit: SchemaUnit): ImportProblem | undefined;
}

export function createReachedErrors(): ReachedErrors {
  const errors = new Map<SchemaUnit, ImportProblem>();
  const users = new Map<SchemaUnit, SchemaUnit[]>();

  /** Each unit is told once, so that all calls together take as long as there are references. */
  function tell(first: SchemaUnit, error: ImportProblem): void {
    const untold = [first];
    for (let unit = untold.pop(); unit !== undefined; unit = untold.pop()) {
      if (errors.has(unit)) continue;
      errors.set(unit, error);
      for (const user of users.get(unit) ?? []) untold.push(user);
    }
  }

  return {
    settle(units) {
      for (const unit of units) {
        // Nobody refers to it, and it asks once.
        if (unit.name === "") continue;
        for (const used of unit.uses) {
          const known = users.get(used);
          if (known === undefined) users.set(used, [unit]);
          else known.push(unit);
        }
      }
      // What was asked for comes first, and must know what all others do.
      for (const unit of units.toReversed()) {
        const own = unit.problems.find((problem) => problem.severity === "error");
        if (own !== undefined) tell(unit, own);
        for (const used of unit.uses) {
          const error = errors.get(used);
          if (error !== undefined) tell(unit, error);
        }
      }
    },
    of: (unit) => errors.get(unit),
  };
}
