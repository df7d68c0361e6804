import type { ImportProblem } from "../imported-api.ts";
import type { SchemaUnit } from "./schema-unit.ts";

/** Finds an error that a schema reaches through references, without a search for each schema. */
export interface ReachedErrors {
  /** `units` are new, and all their references are among them or were settled before. */
  settle(units: readonly SchemaUnit[]): void;
  /** One of the errors; `undefined` when there is none. */
  of(unit: SchemaUnit): ImportProblem | undefined;
}

export function createReachedErrors(): ReachedErrors {
  const errors = new Map<SchemaUnit, ImportProblem>();
  const users = new Map<SchemaUnit, SchemaUnit[]>();

  /** Visits each unit once, so that the total time is linear in the number of references. */
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
        // No unit refers to it, so it needs no list of users.
        if (unit.name === "") continue;
        for (const used of unit.uses) {
          const known = users.get(used);
          if (known === undefined) users.set(used, [unit]);
          else known.push(unit);
        }
      }
      // The requested unit is first in the list and depends on the others, so it is processed last.
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
