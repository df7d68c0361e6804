/** Loaded before the product: applies the bug that this module's address names. */
import { agentMutations } from "./agent-mutations.ts";
import { loadMutated } from "./load-mutated.ts";

const name = new URL(import.meta.url).searchParams.get("mutation");
const mutation = agentMutations.find((known) => known.name === name);
if (mutation === undefined) throw new Error(`There is no mutation "${name}".`);
loadMutated(mutation);
