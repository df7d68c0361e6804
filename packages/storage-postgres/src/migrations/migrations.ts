import type { Migration } from "../migrate.ts";
import { firstSchema } from "./0001-first-schema.ts";
import { triggers } from "./0002-triggers.ts";
import { connectionWaits } from "./0003-connection-waits.ts";

/**
 * In order; append only. Nodes of the previous version keep working during and after a migration. A migration must
 * therefore obey these rules:
 *
 * - It only adds tables, indexes, and columns that are nullable or have a constant default. A column that the previous
 *   version reads or writes is removed one version later at the earliest.
 * - It neither changes the meaning of existing data nor forbids data that the previous version writes.
 * - It holds no lock for long: the program fills the rows of a large table when it encounters them.
 */
export const migrations: readonly Migration[] = [firstSchema, triggers, connectionWaits];
