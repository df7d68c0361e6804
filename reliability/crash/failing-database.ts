import { DatabaseSync } from "node:sqlite";
import type { Failpoints } from "./failpoints.ts";

/** A connection with a failpoint before and after the commit of a migration. */
export class FailingDatabase extends DatabaseSync {
  readonly #failpoints: Failpoints;

  constructor(path: string, failpoints: Failpoints) {
    super(path, { timeout: 0 });
    this.#failpoints = failpoints;
  }

  override exec(sql: string): void {
    // Rows are committed by prepared statements; only a migration executes "COMMIT" as text.
    const migrates = sql === "COMMIT";
    if (migrates) this.#failpoints.reach("migrate.step", "before");
    super.exec(sql);
    if (migrates) this.#failpoints.reach("migrate.step", "after");
  }
}
