import type { Migration } from "../migrate.ts";
import { firstSchema } from "./0001-first-schema.ts";

/** In order; append only. */
export const migrations: readonly Migration[] = [firstSchema];
