import type { Migration } from "../migrate.ts";
import { firstSchema } from "./0001-first-schema.ts";
import { triggers } from "./0002-triggers.ts";

/** In order; append only. */
export const migrations: readonly Migration[] = [firstSchema, triggers];
