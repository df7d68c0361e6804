/*
 * Child process of seeded-bugs-agent: loads the product with one seeded bug, and runs the part of a proof that has to
 * find it. Writes one line of JSON. `node --conditions=@procedo/source reliability/mutations/run-agent-mutation.ts
 * NAME`
 */
import { agentMutations } from "./agent-mutations.ts";
import { loadMutated } from "./load-mutated.ts";

const [name] = process.argv.slice(2);
const mutation = agentMutations.find((known) => known.name === name);
if (mutation === undefined || mutation.finder.group === "agent-kills")
  throw new Error(`There is no mutation "${name}" here.`);
const { group, seeds } = mutation.finder;
const isApplied = loadMutated(mutation);

// Loaded after the hook, so that the bug is applied to all modules below.
const { agentGroups } = await import("../agent/agent-groups.ts");
if (!isApplied()) throw new Error(`"${name}" was not applied in full.`);
const found = agentGroups.find(({ id }) => id === group);
const result = await found?.run({ tier: "commit", seed: 0, seeds, report: () => {} });
process.stdout.write(`${JSON.stringify({ failures: result?.failures ?? [] })}\n`);
process.exit(0);
