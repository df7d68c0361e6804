import type { ProcedureDocument } from "@procedo/contract";
import { compileProcedure } from "@procedo/procedure";
import { surroundings, vendorPayment } from "./vendor-payment.ts";

/** The example's document, for changes. */
export type DraftDocument = Omit<ProcedureDocument, "nodes"> & { nodes: Record<string, unknown>[] };
export type Change = (document: DraftDocument, node: (id: string) => Record<string, unknown>) => void;

/** The example's document with a change; `node` finds a node by its id. */
export function changed(change: Change): unknown {
  const document = vendorPayment() as unknown as DraftDocument;
  change(document, (id) => document.nodes.find((node) => node["id"] === id) ?? {});
  return document;
}

/** The problems of the changed example, as `code /pointer`. */
export function problemsOf(change: Change, around = surroundings): string[] {
  return compileProcedure(changed(change), around).problems.map(({ path, code }) => `${code} ${path}`);
}

export function messagesOf(change: Change): string {
  const { problems } = compileProcedure(changed(change), surroundings);
  return problems.map(({ message }) => message).join("\n");
}

/** An edge of the document and its index. */
export function edge(document: DraftDocument, from: string, branch?: string) {
  const index = document.edges.findIndex((one) => one.from === from && one.branch === branch);
  return { index, at: document.edges[index] ?? { from: "", to: "" } };
}
