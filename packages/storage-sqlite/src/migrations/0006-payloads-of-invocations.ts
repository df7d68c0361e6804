import type { Migration } from "../migrate.ts";

/**
 * What a client is given stands in its call's row: a table of its own cost two statements and two pages a call, and saved
 * a heartbeat no more than the pages of a long row, which SQLite leaves alone where only the lease's end changes.
 *
 * The one server of a file migrates it when it starts; no other process of the version before writes calls.
 */
export const payloadsOfInvocations: Migration = {
  name: "payloads of invocations",
  sql: `
-- Gone once nobody may be given it.
ALTER TABLE invocations ADD COLUMN payload TEXT;
UPDATE invocations SET payload = (SELECT payload FROM invocation_payloads
                                   WHERE invocation_payloads.invocation = invocations.invocation)
 WHERE status IN ('queued', 'leased', 'acknowledged');
DROP TABLE invocation_payloads;
`,
};
