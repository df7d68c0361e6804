/** Budgets and the reservations that count against them. */
export const budgetTables = `
CREATE TABLE budgets (
  workspace text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  budget text COLLATE "C" NOT NULL,
  -- Whole numbers as far as JavaScript tells them apart.
  taken bigint NOT NULL CHECK (taken BETWEEN 0 AND 9007199254740991),
  -- How many rows of the table below name it.
  reservations integer NOT NULL CHECK (reservations >= 0),
  created_at_ms bigint NOT NULL,
  reserved_at_ms bigint NOT NULL,
  PRIMARY KEY (workspace, environment, budget)
  -- A few rows are written all the time: their new versions find room where they are.
) WITH (fillfactor = 50);
-- Of what never changes, so that what changes is in no index. The condition is for the one statement that says it too: plans
-- that were made while the table was empty would find a budget by its scope alone.
CREATE INDEX budgets_by_age ON budgets (workspace, environment, created_at_ms) WHERE created_at_ms >= 0;

CREATE TABLE reservations (
  workspace text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  reservation_key text COLLATE "C" NOT NULL,
  run_id text COLLATE "C" NOT NULL,
  -- What was reserved of which budgets, and what of it was spent once that is known; as JSON.
  amounts text COLLATE "C" NOT NULL,
  spent text COLLATE "C",
  PRIMARY KEY (workspace, environment, reservation_key)
);
CREATE INDEX reservations_of_run ON reservations (run_id);
`;
