import type { Migration } from "../migrate.ts";
import { firstSchema } from "./0001-first-schema.ts";
import { sentDeliveries } from "./0002-sent-deliveries.ts";
import { archivedRuns } from "./0003-archived-runs.ts";

/** In order; append only. */
export const migrations: readonly Migration[] = [firstSchema, sentDeliveries, archivedRuns];
