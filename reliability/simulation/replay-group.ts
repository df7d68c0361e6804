import { defaultRunLimits } from "@procedo/procedure";
import { deriveKey } from "../../packages/engine/src/secrets/derive-key.ts";
import { forTier, type ProofGroup } from "../proof-group.ts";
import { masterKey } from "./cluster.ts";
import { ledgerTemplate } from "./ledger.ts";
import { optionsOf } from "./options.ts";
import { replayRun } from "./replay-run.ts";
import { simulate } from "./simulate.ts";

const mostFailures = 20;

/** sim-replay: the engine's decisions depend only on its recorded inputs. */
export const replayGroup: ProofGroup = {
  id: "sim-replay",
  title:
    "Replay: recorded runs, executed again with the recorded outside, make the same decisions and produce the same hashes",
  run: async ({ tier, seed, seeds, report }) => {
    const wanted = seeds ?? forTier(tier, { commit: 100, nightly: 1_000, release: 10_000 });
    const counts = { runs: 0, rows: 0, decisions: 0 };
    const failures: string[] = [];
    const chainKey = deriveKey(masterKey, "journal");
    for (let at = seed; counts.runs < wanted && failures.length < mostFailures; at++) {
      const options = optionsOf(at);
      const { history } = await simulate(options);
      const settings = {
        chainKey,
        limits: { ...defaultRunLimits, ...options.limits },
        sendWindowMs: options.worker.sendWindowMs,
        integration: ledgerTemplate,
      };
      for (const run of [...history.runs.values()].slice(0, wanted - counts.runs)) {
        const { rows, decisions, differences } = await replayRun(run, settings);
        counts.runs += 1;
        counts.rows += rows;
        counts.decisions += decisions;
        failures.push(...differences.map((text) => `Seed ${at}: ${text}`));
      }
    }
    report(`sim-replay: ${counts.runs} runs, ${failures.length} failures`);
    return { counts, failures };
  },
};
