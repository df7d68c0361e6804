import type { Migration } from "../migrate.ts";
import { firstSchema } from "./0001-first-schema.ts";
import { sentDeliveries } from "./0002-sent-deliveries.ts";
import { archivedRuns } from "./0003-archived-runs.ts";
import { invocations } from "./0004-invocations.ts";
import { budgets } from "./0005-budgets.ts";
import { payloadsOfInvocations } from "./0006-payloads-of-invocations.ts";
import { storedAnswers } from "./0007-stored-answers.ts";
import { skippedDeliveries } from "./0008-skipped-deliveries.ts";

/** In order; append only. */
export const migrations: readonly Migration[] = [
  firstSchema,
  sentDeliveries,
  archivedRuns,
  invocations,
  budgets,
  payloadsOfInvocations,
  storedAnswers,
  skippedDeliveries,
];
