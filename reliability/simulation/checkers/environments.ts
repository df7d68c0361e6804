import type { Checker } from "./checker.ts";

export const separateEnvironments: Checker = {
  invariant: "environments",
  promise: "nothing of one environment is reachable from the other",
  always: false,
  check: async ({ runs, storage, workspace }) => {
    const faults: string[] = [];
    for (const { run } of runs) {
      const environment = run.scope.environment === "live" ? "sandbox" : "live";
      const request = { scope: { workspace, environment }, runId: run.runId } as const;
      const reached = [
        await storage.runs.get(request),
        ...(await storage.runs.journal(request)),
        ...(await storage.reviews.ofRun(request)),
        ...(await storage.inbox.read(request)),
      ].filter((found) => found !== undefined);
      if (reached.length > 0)
        faults.push(`Run ${run.runId} of ${run.scope.environment} is reachable from ${environment}.`);
    }
    return faults;
  },
};
