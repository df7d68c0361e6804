import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { proveKills } from "../agent/kills/agent-kills.ts";
import { concurrently } from "../crash/concurrently.ts";
import { forTier, type ProofGroup, type ProofOptions } from "../proof-group.ts";
import { agentMutations, type AgentMutation } from "./agent-mutations.ts";

const lanes = 2;
const bugsOf = { commit: 1, nightly: agentMutations.length, release: agentMutations.length };
const program = fileURLToPath(new URL("run-agent-mutation.ts", import.meta.url));

/** The failure of a proof that could not run: it shows that the edit is wrong, not that the proof found it. */
const showsNothing = /ended by itself|was never reached|Nothing moves|not applied/;

/** seeded-bugs-agent: each seeded bug must be found by the agent's proofs. */
export const agentMutationGroup: ProofGroup = {
  id: "seeded-bugs-agent",
  title: "Seeded bugs in an agent's loop, its budgets and the judge of its replies: the agent's proofs find each",
  lowered: { commit: `1 bug of ${agentMutations.length}: the time of a commit` },
  run: async (options) => {
    const mutations = agentMutations.slice(0, forTier(options.tier, bugsOf));
    const failures: string[] = [];
    let found = 0;
    await concurrently(mutations, lanes, async (lane) => {
      for (const mutation of lane) {
        const texts = await failuresWith(mutation, options).catch((error: unknown) => [
          `not applied: ${String(error)}`,
        ]);
        const text = texts.find((one) => !showsNothing.test(one));
        if (text === undefined)
          failures.push(`${mutation.finder.group} does not find "${mutation.name}". ${texts[0] ?? ""}`);
        else found += 1;
        options.report(`seeded-bugs-agent: ${mutation.name}: ${text === undefined ? "NOT FOUND" : text.slice(0, 160)}`);
      }
    });
    return { counts: { bugs: mutations.length, found }, failures };
  },
};

/** Ends a proof that waits for a run which the bug keeps from ending. */
const hangMs = 300_000;

async function failuresWith({ name, finder }: AgentMutation, { tier, seed }: ProofOptions): Promise<readonly string[]> {
  if (finder.group === "agent-kills") {
    const preload = [`${import.meta.resolve("./mutated-agent.ts")}?mutation=${encodeURIComponent(name)}`];
    const options = { tier, seed, report: () => {} };
    return (await proveKills(options, { deaths: finder.deaths, preload })).failures;
  }
  const arguments_ = ["--conditions=@procedo/source", program, name];
  const { stdout } = await promisify(execFile)(process.execPath, arguments_, {
    maxBuffer: 16 * 1024 * 1024,
    timeout: hangMs,
  });
  return (JSON.parse(stdout) as { readonly failures: readonly string[] }).failures;
}
