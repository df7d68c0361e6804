import type { Migration } from "../migrate.ts";

/** Sums that may not be exceeded, and who has reserved what of them. */
export const budgets: Migration = {
  name: "budgets",
  sql: `
CREATE TABLE budgets (
  budget INTEGER PRIMARY KEY,
  scope INTEGER NOT NULL REFERENCES scopes,
  name TEXT NOT NULL,
  -- Whole numbers as far as JavaScript tells them apart.
  taken INTEGER NOT NULL CHECK (taken BETWEEN 0 AND 9007199254740991),
  -- How many rows of the table below name it.
  reservations INTEGER NOT NULL CHECK (reservations >= 0),
  reserved_at_ms INTEGER NOT NULL,
  UNIQUE (scope, name)
);
CREATE INDEX budgets_unused ON budgets (scope, reserved_at_ms) WHERE reservations = 0;

CREATE TABLE reservations (
  reservation INTEGER PRIMARY KEY,
  scope INTEGER NOT NULL REFERENCES scopes,
  reservation_key TEXT NOT NULL,
  run INTEGER NOT NULL REFERENCES runs,
  -- What was reserved of which budgets, and what of it was spent once that is known; as JSON.
  amounts TEXT NOT NULL,
  spent TEXT,
  UNIQUE (scope, reservation_key)
);
CREATE INDEX reservations_of_run ON reservations (run);
`,
};
