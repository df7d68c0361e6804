import type { Change, RecordChange } from "@procedo/storage";
import { connectionOfManifestList, manifestListKind } from "./connections/private/manifests.ts";
import { connectionKind, type StaleConnection } from "./connections/connection-record.ts";
import type { Receivers } from "./deliveries/receivers.ts";
import { grantKind } from "./grants/grant-record.ts";
import type { Sender } from "./deliveries/sender.ts";
import { keyKind } from "./keys/key-record.ts";
import { personKind } from "./people/person-record.ts";
import type { Dispatcher } from "./private-connections/dispatcher.ts";
import type { Versions } from "./procedures/versions.ts";
import type { Waiters } from "./runs/waiters.ts";
import type { Worker } from "./runs/worker.ts";
import type { Pump } from "./triggers/pump.ts";
import { triggerKind } from "./triggers/trigger-record.ts";
import { webhookKind } from "./webhooks/webhook-record.ts";

/** The parts of an engine that a change in storage concerns. */
export interface StorageFollowers {
  readonly versions: Pick<Versions, "forget">;
  readonly receivers: Pick<Receivers, "forget">;
  readonly forgetKeys: (keyId?: string) => void;
  readonly forgetCachedKeys: () => void;
  readonly forgetConnection: (stale?: StaleConnection) => void;
  /** Of all connections when it is left out. */
  readonly forgetGrant: (connectionId?: string) => void;
  readonly forgetInbound: () => void;
  /** Ends the requests of sessions that are over; of all people when the person is left out. */
  readonly recheckSessions: (personId?: string) => void;
  readonly worker: Pick<Worker, "claimSoon" | "notified" | "anyNotified" | "holds">;
  readonly waiters: Pick<Waiters, "changed" | "allChanged">;
  readonly sender: Pick<Sender, "wake">;
  readonly dispatcher: Pick<Dispatcher, "wake">;
  readonly pump: Pick<Pump, "wake">;
  /** Tells pages what to read again. */
  readonly hint: (change: Change) => void;
}

/** Returns the listener for changes in storage. It wakes what waits for them, and discards cached data. */
export function followStorage(followers: StorageFollowers): (change: Change) => void {
  const { versions, recheckSessions, worker, waiters, sender, dispatcher, pump, hint } = followers;
  return (change) => {
    hint(change);
    switch (change.type) {
      case "claimable":
        worker.claimSoon();
        break;
      case "notified":
        worker.notified(change.runId);
        break;
      case "settled":
        // The worker itself notifies the waiters of its own runs, with their outcome.
        if (!worker.holds(change.runId)) waiters.changed(change.runId);
        break;
      case "deliverable":
        sender.wake();
        break;
      case "fireable":
        pump.wake();
        break;
      case "invocable":
        dispatcher.wake(change.connectionId);
        break;
      case "session_ended":
        recheckSessions(change.personId);
        break;
      case "record_changed":
        forgetRecord(followers, change);
        break;
      case "default_changed":
        versions.forget(change.environment);
        break;
      case "written":
        // Of settings and of what workers wait for, other changes tell.
        break;
      case "resync":
        forgetAll(followers, change);
        worker.claimSoon();
        worker.anyNotified();
        waiters.allChanged();
        sender.wake();
        dispatcher.wake();
        pump.wake();
        break;
    }
  };
}

function forgetRecord(followers: StorageFollowers, { kind, id, environment }: RecordChange): void {
  const { receivers, forgetKeys, forgetConnection, forgetGrant, forgetInbound, recheckSessions } = followers;
  switch (kind) {
    case keyKind:
      return forgetKeys(id);
    case personKind:
      // Keys act as people, also as those who join now.
      forgetKeys();
      return recheckSessions(id);
    case webhookKind:
      return receivers.forget(id);
    case connectionKind:
      return forgetConnection({ environment, connectionId: id });
    case grantKind:
      return forgetGrant(id);
    case triggerKind:
      return forgetInbound();
    case manifestListKind:
      return forgetConnection({ environment, connectionId: connectionOfManifestList(id) });
  }
  // Other records are not cached, or are cached by a digest of their content, as manifests are.
}

function forgetAll(followers: StorageFollowers, { isTimed }: Extract<Change, { readonly type: "resync" }>): void {
  const { versions, receivers, forgetKeys, forgetCachedKeys, forgetConnection, forgetGrant, recheckSessions } =
    followers;
  versions.forget();
  receivers.forget();
  forgetConnection();
  forgetGrant();
  // Keys and sessions of requests in progress are looked up at intervals of their own.
  if (isTimed === true) return forgetCachedKeys();
  forgetKeys();
  recheckSessions();
}
