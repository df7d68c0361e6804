import type { Check } from "./check.ts";

/** The connection's secret is in no journal. */
export const secrets: Check = ({ runs, ledgerToken }) =>
  runs
    .filter(({ stored }) => stored.journal.some(({ body }) => body.includes(ledgerToken)))
    .map(({ stored }) => `The journal of run ${stored.runId} holds the connection's secret.`);
