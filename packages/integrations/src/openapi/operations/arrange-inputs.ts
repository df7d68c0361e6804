import type { JsonObject } from "@procedo/contract";
import type { BodyInput, ImportedInput } from "../imported-api.ts";
import { alternativesOf, requiredOf } from "../schema/member-schema.ts";
import type { ReadBody } from "./body-content.ts";
import type { ReadParameter } from "./parameter-shape.ts";

export interface ArrangedInputs {
  readonly inputs: readonly ImportedInput[];
  /** Not assembled yet: its references to `$defs` are unresolved. */
  readonly schema: JsonObject;
}

interface Wanted {
  readonly in: ImportedInput["in"];
  readonly name: string;
  readonly required: boolean;
  readonly schema: JsonObject;
  readonly input: (input: string) => ImportedInput;
}

/**
 * Combines parameters and members of the body in one object. A name with several places becomes one input per place,
 * `id_path` and `id_body`, so that no value reaches the wrong place.
 */
export function arrangeInputs(parameters: readonly ReadParameter[], body: ReadBody | undefined): ArrangedInputs {
  const wanted = [...parameters.map(ofParameter), ...ofBody(body)];
  const names = nameInputs(wanted);
  const named = wanted.map((each, index) => ({ ...each, as: names[index] ?? each.name }));
  const ofMember = new Map(named.filter((each) => each.in === "body").map((each) => [each.name, each.as]));
  const alternatives = body?.shape === "members" ? body.members.alternatives : [];
  return {
    inputs: named.map((each) => each.input(each.as)),
    schema: {
      type: "object",
      properties: Object.fromEntries(named.map((each) => [each.as, each.schema])),
      ...requiredOf(named.filter((each) => each.required).map((each) => each.as)),
      additionalProperties: body?.shape === "members" ? body.additional : false,
      ...alternativesOf(alternatives, (member) => ofMember.get(member) ?? member),
    },
  };
}

function ofParameter({ schema, ...parameter }: ReadParameter): Wanted {
  const { in: place, name, required } = parameter;
  return { in: place, name, required, schema, input: (input) => ({ input, ...parameter }) };
}

function ofBody(body: ReadBody | undefined): Wanted[] {
  if (body === undefined) return [];
  if (body.shape === "whole") return [ofMember("body", "", body.required, body.schema)];
  // Required members are required even when the body is optional, because callers rarely mean to omit the body.
  const required = new Set(body.members.required);
  return [...body.members.properties].map(([name, schema]) => ofMember(name, name, required.has(name), schema));
}

function ofMember(wanted: string, name: string, required: boolean, schema: JsonObject): Wanted {
  const input = (as: string): BodyInput => ({ input: as, in: "body", name, required });
  return { in: "body", name: wanted, required, schema, input };
}

/** Assigns each input a unique name, independent of their order. */
function nameInputs(wanted: readonly Wanted[]): readonly string[] {
  const names = wanted.map(({ name }) => name);
  if (new Set(names).size === names.length) return names;
  const groups = Map.groupBy(wanted.keys(), (index) => wanted[index]?.name ?? "");
  const taken = new Set(groups.keys());
  const shared = [...groups.values()].filter((group) => group.length > 1).flat();
  const keyOf = (index: number): string => `${wanted[index]?.name} ${wanted[index]?.in}`;
  for (const index of shared.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))) {
    let name = `${wanted[index]?.name}_${wanted[index]?.in}`;
    while (taken.has(name)) name += "_";
    taken.add(name);
    names[index] = name;
  }
  return names;
}
