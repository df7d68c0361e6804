/** Procedures, versions and records, people's sessions, and the workspace's audit chain. */
export const managedTables = `
CREATE TABLE procedures (
  procedure bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  workspace text COLLATE "C" NOT NULL,
  procedure_id text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  UNIQUE (workspace, procedure_id)
);

CREATE TABLE versions (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  procedure bigint NOT NULL REFERENCES procedures,
  version text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  document text COLLATE "C" NOT NULL,
  published_by text COLLATE "C" NOT NULL,
  published_at_ms bigint NOT NULL,
  -- The revision of the draft that was published. NULL for a version of a given document.
  draft_revision integer,
  UNIQUE (procedure, version)
);
CREATE INDEX versions_by_number ON versions (procedure, number);

CREATE TABLE default_versions (
  procedure bigint NOT NULL,
  environment text COLLATE "C" NOT NULL CHECK (environment IN ('sandbox', 'live')),
  version text COLLATE "C" NOT NULL,
  PRIMARY KEY (procedure, environment),
  FOREIGN KEY (procedure, version) REFERENCES versions (procedure, version)
);

CREATE TABLE records (
  record bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  workspace text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" CHECK (environment IN ('sandbox', 'live')),
  body text COLLATE "C" NOT NULL,
  revision integer NOT NULL,
  -- The time of the first failed attempt of a webhook that has accepted nothing since.
  failing_since_ms bigint,
  UNIQUE (workspace, kind, id)
);
CREATE INDEX records_of_environment ON records (workspace, kind, environment, id) WHERE environment IS NOT NULL;

-- The latest use of an API key. Apart from the records, so that a use rewrites no record.
CREATE TABLE record_uses (
  record bigint PRIMARY KEY REFERENCES records ON DELETE CASCADE,
  used_at_ms bigint NOT NULL,
  address text COLLATE "C"
);

CREATE TABLE record_unique_keys (
  kind text COLLATE "C" NOT NULL,
  unique_key text COLLATE "C" NOT NULL,
  record bigint NOT NULL REFERENCES records ON DELETE CASCADE,
  PRIMARY KEY (kind, unique_key)
);
CREATE INDEX record_unique_keys_of_record ON record_unique_keys (record);

CREATE TABLE record_keys (
  kind text COLLATE "C" NOT NULL,
  record_key text COLLATE "C" NOT NULL,
  record bigint NOT NULL REFERENCES records ON DELETE CASCADE,
  PRIMARY KEY (kind, record_key, record)
);
CREATE INDEX record_keys_of_record ON record_keys (record);

-- A session ends at the earlier of its two ends. The token itself is not stored.
CREATE TABLE sessions (
  digest text COLLATE "C" PRIMARY KEY,
  -- The order of creation.
  session bigint GENERATED ALWAYS AS IDENTITY,
  workspace text COLLATE "C" NOT NULL,
  person_id text COLLATE "C" NOT NULL,
  session_id text COLLATE "C" NOT NULL UNIQUE,
  created_at_ms bigint NOT NULL,
  seen_at_ms bigint NOT NULL,
  idle_ends_at_ms bigint NOT NULL,
  ends_at_ms bigint NOT NULL,
  user_agent text COLLATE "C",
  address text COLLATE "C"
);
CREATE INDEX sessions_of_person ON sessions (workspace, person_id, created_at_ms, session);
CREATE INDEX sessions_by_end ON sessions (least(idle_ends_at_ms, ends_at_ms));

-- Failed sign-ins since the last one that succeeded. The key is a digest of workspace and e-mail.
CREATE TABLE sign_in_failures (
  failure_key text COLLATE "C" PRIMARY KEY,
  count bigint NOT NULL,
  last_at_ms bigint NOT NULL
);
CREATE INDEX sign_in_failures_by_time ON sign_in_failures (last_at_ms);

CREATE TABLE audit (
  workspace text COLLATE "C" NOT NULL,
  seq bigint NOT NULL,
  hash text COLLATE "C" NOT NULL,
  body text COLLATE "C" NOT NULL,
  PRIMARY KEY (workspace, seq)
);
`;
