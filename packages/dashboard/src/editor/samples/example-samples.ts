import type { ConditionNode, JsonValue, ProcedureDocument } from "@procedo/contract";
import { setIn } from "../document/set-in.ts";
import { pathsOf, type Sample } from "./taken-branch.ts";

/** The examples of the input schema. */
export function exampleSamples({ input: { examples } }: ProcedureDocument): readonly Sample[] {
  if (!Array.isArray(examples)) return [];
  return (examples as readonly JsonValue[]).map((input, index) => ({
    key: `example ${index}`,
    label: `Example ${index + 1}`,
    input,
    results: {},
  }));
}

const numbers = /(?<![\w."'])\d{1,15}(?:\.\d{1,6})?(?![\w."'])/g;
const mostLimits = 3;

/**
 * Inputs at the limits of a condition that reads one number of the input: at each number in its expressions, and one
 * below and above. Empty for a condition that reads more, about which a limit alone says nothing.
 */
export function limitSamples(node: ConditionNode): readonly Sample[] {
  const [path, ...others] = pathsOf(node);
  const name = /^input\.([A-Za-z_]\w*)$/.exec(path ?? "")?.[1];
  if (name === undefined || others.length > 0) return [];
  const found = node.branches.flatMap(({ when = "" }) => when.match(numbers) ?? []).map(Number);
  const limits = [...new Set(found)].toSorted((a, b) => a - b).slice(0, mostLimits);
  const values = [...new Set(limits.flatMap((limit) => [limit - 1, limit, limit + 1]))];
  return values.map((value) => ({
    key: `limit ${value}`,
    label: "At the limit",
    input: setIn({}, [name], value),
    results: {},
  }));
}
