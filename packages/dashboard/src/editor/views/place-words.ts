import type { ProcedureDocument } from "@procedo/contract";
import { stepTitle } from "../../flowchart/step-title.ts";
import { waysOf, type Place } from "../document/ways.ts";
import type { SelectOption } from "../../ui/field.tsx";

/** The name of a way out of its step. */
export function wayWord(branch: string | undefined): string {
  switch (branch) {
    case undefined:
      return "Next";
    case "error":
      return "If it fails";
    case "rejected":
      return "If it is rejected";
    default:
      return branch;
  }
}

/** A place as the value of an option. */
export function placeValue({ nodeId, branch }: Place): string {
  return JSON.stringify(branch === undefined ? [nodeId] : [nodeId, branch]);
}

export function placeOfValue(value: string): Place {
  const [nodeId = "", branch] = JSON.parse(value) as readonly string[];
  return { nodeId, branch };
}

/** Options for the places behind which a step can come. Steps with one title are told apart by their ids. */
export function placeOptions(document: ProcedureDocument): readonly SelectOption[] {
  const names = stepNames(document);
  return document.nodes.flatMap((node) =>
    waysOf(node).map(({ branch }): SelectOption => {
      const name = names.get(node.id) ?? node.id;
      const isPlain = branch === undefined;
      return {
        value: placeValue({ nodeId: node.id, branch }),
        label: isPlain ? name : `${name}: ${node.kind === "condition" ? branch : wayWord(branch).toLowerCase()}`,
      };
    }),
  );
}

/** The name of each step, by its id; with the id where several have the same title. */
export function stepNames({ nodes }: ProcedureDocument): ReadonlyMap<string, string> {
  const titles = Map.groupBy(nodes, stepTitle);
  return new Map(
    nodes.map((node) => {
      const title = stepTitle(node);
      const isAlone = (titles.get(title)?.length ?? 0) < 2 || title === node.id;
      return [node.id, isAlone ? title : `${title} (${node.id})`];
    }),
  );
}
