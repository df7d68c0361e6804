import { canary } from "../ledger.ts";
import type { Checker } from "./checker.ts";

export const noSecret: Checker = {
  invariant: "secrets",
  promise: "no secret is in a journal, a delivery, a review or a log",
  always: false,
  check: async ({ runs, history, storage, workspace, webhooks }) => {
    const faults: string[] = [];
    for (const { run } of runs) {
      const { scope, runId, rows } = run;
      const leaks = rows.filter(({ body, commit }) => holds(body) || holds(JSON.stringify(commit)));
      if (leaks.length > 0) faults.push(`The journal of ${runId} holds a secret in row ${leaks[0]?.seq}.`);
      if (holds(JSON.stringify(await storage.reviews.ofRun({ scope, runId }))))
        faults.push(`A review of ${runId} holds a secret.`);
    }
    for (const { webhookId, environment } of webhooks) {
      const page = await storage.deliveries.list({ scope: { workspace, environment }, webhookId, limit: 1000 });
      if (holds(JSON.stringify(page.items))) faults.push("A delivery holds a secret.");
    }
    if (history.lateAnswers.some(({ body }) => holds(body))) faults.push("A late answer holds a secret.");
    if (history.logs.some(holds)) faults.push("A log line holds a secret.");
    return faults;
  },
};

function holds(text: string): boolean {
  return text.includes(canary);
}
