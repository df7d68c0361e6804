import type { Migration } from "../migrate.ts";
import { firstSchema } from "./0001-first-schema.ts";
import { triggers } from "./0002-triggers.ts";
import { connectionWaits } from "./0003-connection-waits.ts";

/** In order; append only. */
export const migrations: readonly Migration[] = [firstSchema, triggers, connectionWaits];
