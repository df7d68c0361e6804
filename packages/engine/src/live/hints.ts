import type { Environment } from "@procedo/contract";
import type { Entry, RunState } from "@procedo/procedure";
import type { Change } from "@procedo/storage";
import { connectionKind } from "../connections/connection-record.ts";
import { manifestListKind } from "../connections/private/manifests.ts";
import type { Settled } from "../deliveries/settle-batch.ts";
import { keyKind } from "../keys/key-record.ts";
import { personKind } from "../people/person-record.ts";
import { draftKind } from "../procedures/draft-record.ts";
import { triggerKind } from "../triggers/trigger-record.ts";
import { webhookKind } from "../webhooks/webhook-record.ts";
import { grantKind } from "../grants/grant-record.ts";
import type { LiveHub } from "./live-changes.ts";
import type { LiveKind } from "./live-hint.ts";

/** The kinds of records that pages show. The hint of a record names no id, which may be that of another workspace. */
const kindsOfRecords: Readonly<Record<string, LiveKind>> = {
  [connectionKind]: "connection",
  [grantKind]: "connection",
  [manifestListKind]: "connection",
  [webhookKind]: "webhook",
  [triggerKind]: "trigger",
  [keyKind]: "key",
  [draftKind]: "procedure",
  [personKind]: "person",
};

/** Adds the hints of a journal row that this process wrote. */
export function hintOfRow(hub: Pick<LiveHub, "hint">, run: RunState["facts"], entries: readonly Entry[]): void {
  const { environment } = run;
  hub.hint({ kind: "run", id: run.runId }, environment);
  for (const entry of entries) {
    if (entry.type === "review_opened") hub.hint({ kind: "review", id: entry.review.reviewId }, environment);
    if (entry.type === "review_closed") hub.hint({ kind: "review", id: entry.reviewId }, environment);
  }
}

/** Adds the hint of a decision that this process recorded: the review may stay open, so that no row names it. */
export function hintOfDecision(hub: Pick<LiveHub, "hint">, environment: Environment, reviewId: string): void {
  hub.hint({ kind: "review", id: reviewId }, environment);
}

/**
 * Adds the hint of a version that this process published. No notification tells other processes of a version that
 * becomes no default: pages there see it with the next `resync`.
 */
export function hintOfVersion(hub: Pick<LiveHub, "hint">): void {
  hub.hint({ kind: "procedure" }, undefined);
}

/**
 * Adds the hints of deliveries that this process settled. No notification tells other processes of a delivery, because
 * deliveries are too many: pages there read everything after a `written`.
 */
export function hintOfDeliveries(hub: Pick<LiveHub, "hint">, settled: readonly Settled[]): void {
  for (const { delivery } of settled) {
    hub.hint({ kind: "delivery", id: delivery.deliveryId }, delivery.scope.environment);
  }
}

/**
 * Adds the hints of a change that storage announced.
 *
 * @param isHeld - whether this process executes the run, whose reviews {@link hintOfRow} names
 */
export function hintOfChange(
  hub: Pick<LiveHub, "hint" | "resync">,
  change: Change,
  workspace: string,
  isHeld: (runId: string) => boolean,
): void {
  switch (change.type) {
    case "settled": {
      const { runId, scope } = change;
      if (scope.workspace !== workspace) return;
      hub.hint({ kind: "run", id: runId }, scope.environment);
      // Another process may have opened or closed a review of the run.
      if (!isHeld(runId)) hub.hint({ kind: "review" }, scope.environment);
      return;
    }
    case "record_changed": {
      const kind = kindsOfRecords[change.kind];
      if (kind !== undefined) hub.hint({ kind }, change.environment);
      return;
    }
    case "default_changed":
      // Pages of either environment show the defaults of both.
      hub.hint({ kind: "procedure" }, undefined);
      return;
    case "written":
      if (change.scope.workspace === workspace) hub.resync(change.scope.environment);
      return;
    case "resync":
      // A page would read everything every 2 seconds although nothing changed.
      if (change.isTimed !== true) hub.resync(undefined);
      return;
    default:
      // Messages between workers.
      return;
  }
}
