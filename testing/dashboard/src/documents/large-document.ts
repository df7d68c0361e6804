import type { ProcedureDocument, ProcedureNode } from "@procedo/contract";

/** A procedure of many steps: conditions that lead on by two reviews each, which meet again. */
export function largeDocument(procedureId: string, steps: number): ProcedureDocument {
  const rounds = Math.floor((steps - 2) / 3);
  const single = (steps - 2) % 3;
  const nodes: ProcedureNode[] = [{ id: "start", kind: "start" }];
  const edges: ProcedureDocument["edges"][number][] = [];
  let open: readonly { readonly from: string; readonly branch?: string }[] = [{ from: "start" }];
  const lead = (to: string): void => {
    edges.push(...open.map((way) => ({ ...way, to })));
  };
  for (let round = 0; round < rounds; round++) {
    const [size, one, two] = [`size_${round}`, `one_${round}`, `two_${round}`];
    const branches = [{ name: "large", when: `input.amount > ${round}` }];
    nodes.push({ id: size, kind: "condition", title: `Is it above ${round}?`, branches, otherwise: "small" });
    nodes.push({ id: one, kind: "human_review", title: `Check ${one}` });
    nodes.push({ id: two, kind: "human_review", title: `Check ${two}` });
    lead(size);
    edges.push({ from: size, to: one, branch: "large" }, { from: size, to: two, branch: "small" });
    open = [{ from: one }, { from: two }];
  }
  for (let count = 0; count < single; count++) {
    const id = `last_${count}`;
    nodes.push({ id, kind: "human_review", title: `Check ${id}` });
    lead(id);
    open = [{ from: id }];
  }
  nodes.push({ id: "done", kind: "end" });
  lead("done");
  const input = { type: "object", properties: { amount: { type: "integer" } } };
  return { schemaVersion: 1, procedureId, name: `${steps} steps`, input, nodes, edges };
}
