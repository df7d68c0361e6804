import { acknowledged } from "../crash/checks/acknowledged.ts";
import type { Check } from "../crash/checks/check.ts";
import { deliveries } from "../crash/checks/deliveries.ts";
import { effects } from "../crash/checks/effects.ts";
import { ends } from "../crash/checks/ends.ts";
import { createFinalRuns } from "../crash/checks/final-runs.ts";
import { journals } from "../crash/checks/journals.ts";
import { reviews } from "../crash/checks/reviews.ts";
import { secrets } from "../crash/checks/secrets.ts";
import { gather, type Evidence } from "../crash/evidence.ts";
import type { Judge } from "../crash/judge.ts";
import type { Start, World } from "../crash/world.ts";
import { judgeAnnouncedEnds, type AnnouncedEnd } from "./announced-ends.ts";

/** A start without an idempotency key, which is never repeated. */
export type KeylessStart = Pick<Start, "input"> & { runId: string | undefined };

/** The requests of applications, and their answers, that a world does not record. */
export interface Heard {
  readonly keyless: readonly KeylessStart[];
  readonly endings: readonly AnnouncedEnd[];
}

const always: readonly Check[] = [acknowledged, journals, effects, reviews, deliveries, secrets];

/** Checks a world as the crash driver does, and the answers over HTTP. */
export function createServiceJudge(world: World, heard: Heard): Judge {
  const finalRuns = createFinalRuns();
  return {
    check: async (moment) => {
      // Later answers may be newer than the data that is read here.
      const endings = [...heard.endings];
      const keyless = heard.keyless.map((start) => ({ ...start }));
      const evidence = await gather(world);
      const faults = [
        ...always.flatMap((check) => check(evidence)),
        ...judgeKeyless(keyless, evidence),
        ...judgeAnnouncedEnds(endings, evidence.runs),
        ...finalRuns.check(evidence.runs),
      ];
      if (moment === "under way") return { evidence, faults };
      return { evidence, faults: [...faults, ...ends(withKeyless(evidence, keyless))] };
    },
  };
}

function judgeKeyless(keyless: readonly KeylessStart[], { runs }: Evidence): readonly string[] {
  const known = new Set(runs.map(({ stored }) => stored.runId));
  return keyless.flatMap(({ runId, input }) =>
    runId === undefined || known.has(runId)
      ? []
      : [`Start ${input.n} was acknowledged as ${runId}, which is not there.`],
  );
}

/** A keyless start whose answer was lost may or may not have created a run. */
function withKeyless(evidence: Evidence, keyless: readonly KeylessStart[]): Evidence {
  const made = new Set(evidence.runs.map(({ state }) => (state?.input as { readonly n?: number } | undefined)?.n));
  const starts = keyless
    .filter(({ input }) => made.has(input.n))
    .map(({ input, runId }) => ({ key: "", input, runId, cancel: undefined }));
  return { ...evidence, starts: [...evidence.starts, ...starts] };
}
