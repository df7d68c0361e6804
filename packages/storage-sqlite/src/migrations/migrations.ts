import type { Migration } from "../migrate.ts";
import { firstSchema } from "./0001-first-schema.ts";
import { endedRuns } from "./0002-ended-runs.ts";

/** In order; append only. */
export const migrations: readonly Migration[] = [firstSchema, endedRuns];
