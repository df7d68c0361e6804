import type { Scope } from "../scope.ts";
import type { Storage } from "../storage.ts";
import { randomBudgets } from "./random-budgets.ts";
import { randomKeys, randomPeople } from "./random-sessions.ts";
import { randomTriggers } from "./random-triggers.ts";
import { startMs } from "./harness.ts";
import { elsewhere, live, sandbox } from "./samples.ts";
import { readAll } from "./pages.ts";

/** All readable data of the suite's scopes. */
export async function dump(storage: Storage): Promise<unknown> {
  const scopes = await Promise.all(
    [sandbox, live, elsewhere].map(async (scope) => {
      const runs = await readAll(100, (page) => storage.runs.list({ scope, ...page }));
      return {
        runs: await Promise.all(
          runs.map(async (row) => ({
            row,
            journal: await storage.runs.journal(row),
            output: await storage.runs.output({ ...row, maxBytes: 9 }),
            openReview: await storage.reviews.open(row),
            inbox: await storage.inbox.read(row),
            reviews: await storage.reviews.ofRun(row),
            invocations: await storage.invocations.ofRun(row),
          })),
        ),
        heads: await readAll(100, (page) => storage.runs.heads({ scope, ...page })),
        stubs: await readAll(100, (page) => storage.retention.stubs({ scope, ...page })),
        reviews: await readAll(100, (page) => storage.reviews.list({ scope, ...page })),
        searches: await Promise.all(
          ["INV-", "INV-2", "run-1"].map(async (search) => ({
            runs: await readAll(3, (page) => storage.runs.list({ scope, search, ...page })),
            reviews: await readAll(3, (page) => storage.reviews.list({ scope, search, ...page })),
          })),
        ),
        runTally: await storage.runs.tally({ scope, sinceMs: startMs, dayStartsMs: [startMs + 50, startMs + 200] }),
        reviewTally: await storage.reviews.tally({ scope, expiresBeforeMs: startMs }),
        connections: await Promise.all(
          ["connection-0", "connection-1"].map(async (connectionId) => ({
            backlog: await storage.invocations.backlog({ scope, connectionId }),
            clients: await storage.invocations.listClients({ scope, connectionId }),
          })),
        ),
        budgets: await storage.budgets.taken(scope, randomBudgets),
        triggers: await Promise.all(randomTriggers.map((triggerId) => triggerOf(storage, scope, triggerId))),
        deliveries: await Promise.all(["hook-0", "hook-1"].map((webhookId) => deliveriesOf(storage, scope, webhookId))),
      };
    }),
  );
  const workspaces = await Promise.all(
    [sandbox, elsewhere].map(async ({ workspace }) => ({
      procedures: await readAll(100, (page) => storage.procedures.list({ workspace, ...page })),
      hooks: await readAll(100, (page) => storage.records.list({ workspace, kind: "webhook", ...page })),
      schedules: await storage.triggers.due({ workspace, limit: 9, beforeMs: Number.MAX_SAFE_INTEGER }),
      audit: await storage.audit.list({ workspace, afterSeq: 0, limit: 1_000 }),
    })),
  );
  const sessions = await Promise.all(
    [sandbox, elsewhere].flatMap(({ workspace }) =>
      randomPeople.map((personId) => storage.sessions.list({ workspace, personId })),
    ),
  );
  const failures = await Promise.all(randomKeys.map((key) => storage.sessions.failures({ key })));
  return { scopes, workspaces, sessions, failures };
}

async function triggerOf(storage: Storage, scope: Scope, triggerId: string): Promise<unknown> {
  const { triggers, runs } = storage;
  const firings = await readAll(100, (page) => triggers.list({ scope, triggerId, ...page }));
  return {
    state: await triggers.states({ scope, triggerIds: [triggerId] }),
    firings: await Promise.all(firings.map((firing) => triggers.get(firing))),
    failed: await readAll(3, (page) => triggers.list({ scope, triggerId, status: "failed", ...page })),
    runs: await readAll(100, (page) => runs.list({ scope, triggerId, ...page })),
  };
}

async function deliveriesOf(storage: Storage, scope: Scope, webhookId: string): Promise<unknown> {
  const rows = await readAll(100, (page) => storage.deliveries.list({ scope, webhookId, ...page }));
  return Promise.all(
    rows.map(async (row) => ({ row, attempts: await storage.deliveries.attempts({ scope, ...row }) })),
  );
}
