import type { Migration } from "../migrate.ts";
import { firstSchema } from "./0001-first-schema.ts";
import { invocations } from "./0002-invocations.ts";
import { budgets } from "./0003-budgets.ts";
import { rowsWithTheirTime } from "./0004-rows-with-their-time.ts";
import { claimsOfDeliveries } from "./0005-claims-of-deliveries.ts";
import { roomForSecondVersions } from "./0006-room-for-second-versions.ts";
import { storedAnswers } from "./0007-stored-answers.ts";
import { skippedDeliveries } from "./0008-skipped-deliveries.ts";

/**
 * In order; append only. Nodes of the version before go on working during and after a migration, so each one
 *
 * - only adds: tables, columns that may be null or have a constant default, indexes. What the version before writes or
 *   reads is removed one version later at the earliest.
 * - changes no meaning of what is there, and forbids nothing that the version before writes.
 * - takes no lock for long: rows of large tables are filled by the program as it meets them, not by the migration.
 *
 * What one of them cannot keep to says its own comment.
 */
export const migrations: readonly Migration[] = [
  firstSchema,
  invocations,
  budgets,
  rowsWithTheirTime,
  claimsOfDeliveries,
  roomForSecondVersions,
  storedAnswers,
  skippedDeliveries,
];
