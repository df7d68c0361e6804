import { budgetOrder, reservationOrder } from "./budget-statements.ts";

/**
 * The parts of a commit statement that settle reservations, after `fit`. Open reservations adjust their budgets;
 * unknown keys are stored as settled.
 *
 * Both tables are written by inserts that become updates: the statement does not see reservations that a previous owner
 * stored while it waited for the run. The insert of a budget proposes the row for a missing budget; a budget always
 * exists while a reservation names it.
 */
export function reservationParts(schema: string, now: string): string {
  return `, settled AS (
  INSERT INTO ${schema}.reservations AS known (workspace, environment, reservation_key, run_id, amounts, spent)
  SELECT workspace, environment, reservation_key, run_id, '[]', spent::text
    FROM (SELECT DISTINCT ON (workspace, environment, one.key)
                 workspace, environment, run_id, one.key AS reservation_key, one.spent
            FROM fit CROSS JOIN LATERAL ROWS FROM (json_to_recordset(fit.settle::json) AS (key text, spent json))
                                          WITH ORDINALITY AS one (key, spent, number)
           WHERE fit.settle IS NOT NULL
           -- Of several settlements for one key, the first counts.
           ORDER BY workspace, environment, one.key, ord, one.number) AS first
   ORDER BY ${reservationOrder}
      ON CONFLICT (workspace, environment, reservation_key) DO UPDATE SET spent = excluded.spent
       WHERE known.spent IS NULL
  RETURNING workspace, environment, amounts::json, spent::json
), change AS MATERIALIZED (
  SELECT workspace, environment, reserved.budget, sum(used.amount - reserved.amount)::bigint AS amount
    FROM settled
    CROSS JOIN LATERAL json_to_recordset(settled.amounts) AS reserved (budget text, amount bigint)
    CROSS JOIN LATERAL (
      SELECT 0 AS amount WHERE json_typeof(settled.spent) = 'string'
      UNION ALL
      SELECT one.amount FROM json_to_recordset(CASE json_typeof(settled.spent) WHEN 'array' THEN settled.spent ELSE '[]' END)
                          AS one (budget text, amount bigint)
       WHERE one.budget = reserved.budget) AS used
   GROUP BY workspace, environment, reserved.budget
  HAVING sum(used.amount - reserved.amount) <> 0
), spent AS (
  INSERT INTO ${schema}.budgets AS known
    (workspace, environment, budget, taken, reservations, created_at_ms, reserved_at_ms)
  SELECT workspace, environment, budget, greatest(amount, 0), 0, ${now}, ${now} FROM change ORDER BY ${budgetOrder}
      ON CONFLICT (workspace, environment, budget) DO UPDATE
         SET taken = known.taken + (SELECT amount FROM change
                                     WHERE (change.workspace, change.environment, change.budget)
                                         = (known.workspace, known.environment, known.budget))
)`;
}
