import type { AuditEntry } from "../audit.ts";
import type { RunHead } from "../heads.ts";
import type { Scope } from "../scope.ts";
import type { TestClock } from "./harness.ts";
import { readAll } from "./pages.ts";
import type { Random } from "./random.ts";
import type { Step } from "./random-step.ts";

/** Random calls of an archiver: runs that were archivable some time ago, occasionally with a wrong head. */
export function retentionSteps(
  random: Random,
  clock: TestClock,
  scope: () => Scope,
  nextAudit: () => AuditEntry,
  learnAudit: (answer: unknown) => void,
): readonly [() => Step, ...(() => Step)[]] {
  let heads: readonly RunHead[] = [];

  function look(): Step {
    const request = { scope: scope(), endedBeforeMs: clock.now() + 20 - random.integer(40) };
    const limit = 1 + random.integer(6);
    return {
      name: "archivable",
      call: ({ retention }) => readAll(limit, (page) => retention.archivable({ ...request, ...page })),
      learn: (answer) => {
        const found = answer as readonly RunHead[];
        if (found.length > 0) heads = random.some([...found], 0.7);
      },
    };
  }

  function archive(): Step {
    const output = random.chance(0.5) ? "{}" : undefined;
    const runs = heads.map((head) => ({ ...head, ...(random.chance(0.05) ? { seq: head.seq + 1 } : {}), output }));
    const request = { scope: scope(), runs, audit: nextAudit() };
    return { name: "archive", call: ({ retention }) => retention.archive(request), learn: learnAudit };
  }

  function removeExpired(): Step {
    const beforeMs = clock.now() - random.integer(200);
    const budgetsBeforeMs = clock.now() - random.integer(400);
    const request = { scope: scope(), beforeMs, budgetsBeforeMs, limit: 1_000 };
    return { name: "remove expired", call: ({ retention }) => retention.removeExpired(request) };
  }

  return [look, archive, removeExpired];
}
