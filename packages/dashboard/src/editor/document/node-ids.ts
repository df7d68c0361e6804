import type { JsonObject, ProcedureDocument } from "@procedo/contract";
import { mapNodeIds } from "@procedo/procedure";

const idPattern = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;
const longestId = 64;

/** Why a step cannot get an id; `undefined` if it can. */
export function whyNotId({ nodes }: ProcedureDocument, nodeId: string, to: string): string | undefined {
  if (to === nodeId) return undefined;
  if (to.length > longestId) return `An id has at most ${longestId} characters.`;
  if (!idPattern.test(to)) return "An id begins with a letter and has letters, digits and _ only.";
  if (to in {}) return `“${to}” is a reserved name. Choose another id.`;
  if (nodes.some(({ id }) => id === to)) return `Another step has the id “${to}”. Choose another one.`;
  return undefined;
}

/** An id for a new step, made from its title. One that the document still refers to, after a deletion, is not free. */
export function freeId(document: ProcedureDocument, title: string): string {
  const words =
    title
      .normalize("NFKD")
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  const joined = words
    .slice(0, 4)
    .join("_")
    .slice(0, longestId - 6);
  const base = /^[a-z]/.test(joined) ? joined : `step_${joined}`.replace(/_$/, "");
  const taken = mentionedIds(document);
  const isFree = (id: string): boolean => !taken.has(id) && !(id in {});
  let id = base;
  for (let number = 2; !isFree(id); number++) id = `${base}_${number}`;
  return id;
}

/** The ids of all steps, and those to which the document refers. */
export function mentionedIds(document: ProcedureDocument): ReadonlySet<string> {
  const ids = new Set<string>();
  mapNodeIds(document as unknown as JsonObject, (id) => {
    ids.add(id);
    return id;
  });
  return ids;
}
