/** Loaded before the product: applies the edits that this module's address names. */
import { loadMutated } from "../mutations/load-mutated.ts";
import { nextVersion, nodeMutations } from "./node-mutations.ts";

const name = new URL(import.meta.url).searchParams.get("mutation");
const mutation = [...nodeMutations, nextVersion].find((known) => known.name === name);
if (mutation === undefined) throw new Error(`There is no mutation "${name}".`);
loadMutated(mutation);
