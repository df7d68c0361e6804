/** Budgets and the reservations that count against them. */
export const budgetTables = `
CREATE TABLE budgets (
  workspace text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  budget text COLLATE "C" NOT NULL,
  -- A safe integer of JavaScript.
  taken bigint NOT NULL CHECK (taken BETWEEN 0 AND 9007199254740991),
  -- The number of rows in the table below that name this budget.
  reservations integer NOT NULL CHECK (reservations >= 0),
  created_at_ms bigint NOT NULL,
  reserved_at_ms bigint NOT NULL,
  PRIMARY KEY (workspace, environment, budget)
  -- A few rows are updated all the time: new row versions stay on their page.
) WITH (fillfactor = 50);
-- Only on columns that never change. The condition is for the one statement that repeats it: without the condition,
-- plans from the time of an empty table would find a budget by its scope alone.
CREATE INDEX budgets_by_age ON budgets (workspace, environment, created_at_ms) WHERE created_at_ms >= 0;

CREATE TABLE reservations (
  workspace text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  reservation_key text COLLATE "C" NOT NULL,
  run_id text COLLATE "C" NOT NULL,
  -- The reserved amounts by budget, and the spent amounts once they are known; as JSON.
  amounts text COLLATE "C" NOT NULL,
  spent text COLLATE "C",
  PRIMARY KEY (workspace, environment, reservation_key)
);
CREATE INDEX reservations_of_run ON reservations (run_id);
`;
