import { jsonPointer } from "@procedo/contract/syntax";
import { maxApplied, maxReferenceChain } from "./schema-bounds.ts";
import type { Reference, SchemaGroup, SchemaUnit } from "./schema-unit.ts";

/** The cost of applying a unit to a value. */
interface Cost {
  /** Number of schemas that apply to that value. */
  readonly applied: number;
  /** Length of the longest chain of references. */
  readonly chain: number;
}

/** Removes references that apply schemas to one value endlessly or too often. */
export interface EndlessReferences {
  /** `units` are new, and all their references are among them or were settled before. */
  settle(units: readonly SchemaUnit[]): void;
}

const circle =
  "The reference leads back to the schema that it stands in, for the same value; it is left out, because it adds nothing.";
const tooMany = "The reference applies too many schemas to one value; it is left out, and any value is accepted.";

export function createEndlessReferences(): EndlessReferences {
  const costs = new Map<SchemaUnit, Cost>();

  function settleCircle(members: readonly SchemaUnit[]): void {
    const within = new Set(members);
    for (const unit of members) {
      const [first] = unit.groups;
      // All links of a circle are removed, so that the result does not depend on the entry.
      if (first !== undefined) remove(unit, first, ({ target }) => within.has(target), circle);
    }
    for (const unit of members) costs.set(unit, settleGroup(unit, unit.groups[0]));
  }

  function settleGroup(unit: SchemaUnit, group: SchemaGroup | undefined): Cost {
    if (group === undefined) return { applied: 1, chain: 1 };
    let { applied } = group;
    let chain = 0;
    const over = (reference: Reference) => {
      const cost = costs.get(reference.target) ?? { applied: 1, chain: 1 };
      if (applied + cost.applied > maxApplied || cost.chain >= maxReferenceChain) return true;
      applied += cost.applied;
      chain = Math.max(chain, cost.chain);
      return false;
    };
    remove(unit, group, over, tooMany);
    return { applied, chain: chain + group.applied };
  }

  return {
    settle(units) {
      const [only] = units;
      if (units.length === 1 && only?.name === "") {
        // No reference leads to it, so it is not part of a circle.
        for (const group of only.groups) settleGroup(only, group);
        return;
      }
      for (const members of circlesFirst(units)) settleCircle(members);
      for (const unit of units) for (const group of unit.groups.slice(1)) settleGroup(unit, group);
    },
  };
}

function remove(unit: SchemaUnit, group: SchemaGroup, goes: (reference: Reference) => boolean, message: string): void {
  if (group.references.length === 0) return;
  const gone = new Set(group.references.filter(goes));
  for (const { node, path } of gone) {
    delete node["$ref"];
    const pointer = unit.pointer + jsonPointer([...path, "$ref"]);
    unit.problems.push({ severity: "warning", pointer, message });
  }
  if (gone.size === 0) return;
  group.references = group.references.filter((reference) => !gone.has(reference));
  unit.uses = new Set(unit.groups.flatMap(({ references }) => references.map(({ target }) => target)));
}

interface Visit {
  readonly unit: SchemaUnit;
  readonly targets: readonly SchemaUnit[];
  next: number;
}

/**
 * The strongly connected components of the graph of same-value references, in reverse topological order (Tarjan's
 * algorithm, iterative). Units outside of `units` are settled and skipped. A component with one unit is a circle only
 * if the unit refers to itself.
 */
function circlesFirst(units: readonly SchemaUnit[]): readonly (readonly SchemaUnit[])[] {
  const mine = new Set(units);
  const order = new Map<SchemaUnit, number>();
  const low = new Map<SchemaUnit, number>();
  const stack: SchemaUnit[] = [];
  const onStack = new Set<SchemaUnit>();
  const parts: SchemaUnit[][] = [];

  const lower = (unit: SchemaUnit, to: number) => low.set(unit, Math.min(low.get(unit) ?? to, to));
  const visit = (unit: SchemaUnit): Visit => {
    order.set(unit, order.size);
    lower(unit, order.size - 1);
    stack.push(unit);
    onStack.add(unit);
    const targets = (unit.groups[0]?.references ?? []).map(({ target }) => target).filter((target) => mine.has(target));
    return { unit, targets, next: 0 };
  };

  for (const root of units) {
    if (order.has(root)) continue;
    const visits = [visit(root)];
    for (let at = visits.at(-1); at !== undefined; at = visits.at(-1)) {
      const target = at.targets[at.next];
      at.next += 1;
      if (target === undefined) {
        visits.pop();
        const above = visits.at(-1);
        if (above !== undefined) lower(above.unit, low.get(at.unit) ?? 0);
        if (low.get(at.unit) === order.get(at.unit)) parts.push(takeFrom(stack, at.unit, onStack));
      } else if (!order.has(target)) {
        visits.push(visit(target));
      } else if (onStack.has(target)) {
        lower(at.unit, order.get(target) ?? 0);
      }
    }
  }
  return parts;
}

function takeFrom(stack: SchemaUnit[], last: SchemaUnit, onStack: Set<SchemaUnit>): SchemaUnit[] {
  const taken = stack.splice(stack.lastIndexOf(last));
  for (const unit of taken) onStack.delete(unit);
  return taken;
}
