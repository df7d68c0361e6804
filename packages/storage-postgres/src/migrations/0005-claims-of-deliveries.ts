import type { Migration } from "../migrate.ts";

/**
 * Who has claimed which deliveries stands in rows of its own, instead of a version more of each delivery: a row holds many
 * of one webhook, and a settlement takes out what is settled.
 *
 * Nodes of the version before
 *
 * - go on storing, listing and archiving deliveries, and take what is under way for waiting. They do not see attempts that
 *   were accepted since.
 * - go on having deliveries sent again, which nodes of this version then send. One that was accepted since loses that attempt
 *   from its history. One that is under way is not sent twice.
 * - go on ending what is pending, also while it is under way: it stays ended, and its sender is fenced. That attempt is in
 *   the history and is not counted, so that one more, when the delivery is sent again, goes out under the same epoch, and
 *   the history shows one of the two.
 * - claim no more: the constraint refuses it and they try again every second, until they are replaced. The nodes of this
 *   version that execute send what there is. One that only serves HTTP migrates as well, and sends nothing: so a node that
 *   executes is upgraded first. Until one runs, deliveries wait, and none is lost.
 * - are fenced when they settle what they had claimed, and their attempt is known. That counts as of a sender that died: it
 *   is sent again when its lease would have ended.
 *
 * What they read stays for them, to be removed one version later: `sender_id`, which is always null now, and the index of
 * those that have one. `deliveries_waiting` holds all that are pending since then. It is kept under its name and
 * condition, as making another would keep everybody from writing while the whole table is read; for the same reason the
 * constraint does not look at what is there.
 */
export const claimsOfDeliveries: Migration = {
  name: "claims of deliveries",
  sql: `
ALTER TABLE deliveries
  -- Set: the last attempt was accepted and stands here instead of in delivery_attempts, under the row's epoch.
  ADD COLUMN accepted_took_ms bigint,
  ADD COLUMN accepted_manual boolean,
  ADD CONSTRAINT claimed_elsewhere CHECK (sender_id IS NULL) NOT VALID;
UPDATE deliveries SET sender_id = NULL WHERE sender_id IS NOT NULL;
COMMENT ON COLUMN deliveries.epoch IS 'Of the last claim that has ended';
COMMENT ON COLUMN deliveries.attempt_count IS 'Without one that is under way';

CREATE TABLE delivery_claims (
  workspace text COLLATE "C" NOT NULL,
  claim bigint GENERATED ALWAYS AS IDENTITY,
  environment text COLLATE "C" NOT NULL,
  webhook_id text COLLATE "C" NOT NULL,
  sender_id text COLLATE "C" NOT NULL,
  lease_ends_at_ms bigint NOT NULL,
  -- Numbers of those that are claimed and not settled; never empty.
  deliveries bigint[] NOT NULL CHECK (cardinality(deliveries) > 0),
  PRIMARY KEY (workspace, claim)
);
`,
};
