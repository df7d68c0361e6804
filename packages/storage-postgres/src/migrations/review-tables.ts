/** Reviews and the decisions on them. Sequence numbers give the order within a millisecond, without an index. */
export const reviewTables = `
CREATE TABLE reviews (
  review_id text COLLATE "C" PRIMARY KEY,
  review bigint GENERATED ALWAYS AS IDENTITY,
  run_id text COLLATE "C" NOT NULL,
  workspace text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  procedure_id text COLLATE "C" NOT NULL,
  node_id text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  title text COLLATE "C" NOT NULL,
  body text COLLATE "C" NOT NULL,
  digest text COLLATE "C" NOT NULL,
  effect_key text COLLATE "C" NOT NULL,
  opened_at_ms bigint NOT NULL,
  status text COLLATE "C" NOT NULL
    CHECK (status IN ('open', 'approved', 'rejected', 'expired', 'settled', 'cancelled')),
  closed_at_ms bigint,
  -- NULL: the review does not expire.
  expires_at_ms bigint,
  -- That of the run.
  reference text COLLATE "C",
  -- The content for polls of the review, if its run has a long journal.
  shown text COLLATE "C"
);
CREATE INDEX reviews_by_time ON reviews (workspace, environment, opened_at_ms, review);
CREATE INDEX reviews_open ON reviews (workspace, environment, opened_at_ms, review) WHERE status = 'open';
-- Most reviews do not expire.
CREATE INDEX reviews_expiring ON reviews (workspace, environment, expires_at_ms, opened_at_ms, review)
  WHERE status = 'open' AND expires_at_ms IS NOT NULL;
CREATE INDEX reviews_by_reference ON reviews (workspace, environment, reference, opened_at_ms, review)
  WHERE reference IS NOT NULL;
CREATE INDEX reviews_of_run ON reviews (run_id);
CREATE UNIQUE INDEX one_open_review_of_run ON reviews (run_id) WHERE status = 'open';

-- One decision per person and review; one decision per idempotency key of an environment.
CREATE TABLE decisions (
  review bigint NOT NULL,
  person text COLLATE "C" NOT NULL,
  -- The order of arrival: the writer of a decision holds the run's row.
  decision bigint GENERATED ALWAYS AS IDENTITY,
  decision_id text COLLATE "C" NOT NULL,
  run_id text COLLATE "C" NOT NULL,
  workspace text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  idempotency_key text COLLATE "C" NOT NULL,
  body text COLLATE "C" NOT NULL,
  decided_at_ms bigint NOT NULL,
  PRIMARY KEY (review, person),
  UNIQUE (workspace, environment, idempotency_key)
);
`;
