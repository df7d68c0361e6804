import type { Migration } from "../migrate.ts";
import { firstSchema } from "./0001-first-schema.ts";

/**
 * In order; append only. Nodes of the previous version keep working during and after a migration. A migration therefore
 *
 * - only adds: tables, columns that are nullable or have a constant default, indexes. A column that the previous version
 *   reads or writes is removed one version later at the earliest.
 * - changes no meaning of existing data, and forbids nothing that the previous version writes.
 * - takes no lock for long: the program fills the rows of a large table as it meets them.
 */
export const migrations: readonly Migration[] = [firstSchema];
