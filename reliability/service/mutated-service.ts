/** Loaded before the product: applies the edits that this module's address names. */
import { loadMutated } from "../mutations/load-mutated.ts";
import { changeMutations } from "./change-mutations.ts";

const name = new URL(import.meta.url).searchParams.get("mutation");
const mutation = changeMutations.find((known) => known.name === name);
if (mutation === undefined) throw new Error(`There is no mutation "${name}".`);
loadMutated(mutation);
