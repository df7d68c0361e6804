/* The storage requests of a request's work: the first one can be intercepted, and the complete data compared. */
import { interceptEveryVerb } from "@procedo-testing/faults";
import type { Environment } from "@procedo/contract";
import type { Storage } from "@procedo/storage";

export interface WatchedWork {
  readonly storage: Storage;
  /** Calls `interfere` after the next storage request, before its answer. */
  afterFirstRead(interfere: () => Promise<void>): void;
  /** The first storage request of the work since then: `undefined` for none. */
  first(): "read" | "write" | undefined;
}

/** Requests of the engine itself, and those that look up the holder of a key. */
const background = new Set([
  "runs.claim",
  "runs.heads",
  "deliveries.claim",
  "deliveries.settle",
  "triggers.due",
  "triggers.advance",
  "triggers.claim",
  "triggers.settle",
  "invocations.expireLeases",
  "workers.areWorking",
]);
const reads =
  /^(get|find|list|open|ofRun|version|defaultVersion|journal|output|read|head|attempts|of[A-Z]|documents?$)/;

export function watchedWork(inner: Storage): WatchedWork {
  let interfere: (() => Promise<void>) | undefined;
  let first: "read" | "write" | undefined;

  const isWork = (name: string, request: unknown): boolean =>
    !background.has(name) &&
    !(name === "records.find" && ["api_key", "person"].includes((request as { kind: string }).kind));

  const storage = interceptEveryVerb(inner, async (send, name, request) => {
    const pending = isWork(name, request) ? interfere : undefined;
    const isRead = reads.test(name.slice(name.indexOf(".") + 1));
    if (pending !== undefined) {
      first ??= isRead ? "read" : "write";
      if (isRead) interfere = undefined;
    }
    const answer = await send();
    if (isRead) await pending?.();
    return answer;
  });

  return {
    storage,
    afterFirstRead: (work) => {
      first = undefined;
      interfere = work;
    },
    first: () => first,
  };
}

const recordKinds = [
  "api_key",
  "connection",
  "connection_document",
  "draft",
  "engine",
  "person",
  "private_manifest",
  "private_manifest_list",
  "trigger",
  "webhook",
];

/** All data in a storage that a request could change, one text per resource. */
export async function everythingIn(storage: Storage): Promise<readonly string[]> {
  const workspace = "default";
  const page = { workspace, limit: 1_000 };
  const things: unknown[] = [];
  for (const kind of recordKinds) things.push(...(await storage.records.list({ ...page, kind })).items);
  for (const { procedureId } of (await storage.procedures.list(page)).items) {
    const versions = await storage.procedures.versions({ ...page, procedureId });
    things.push(...versions.items.map(({ version }) => ["version", procedureId, version]));
    for (const environment of ["sandbox", "live"] as const) {
      const version = await storage.procedures.defaultVersion({ workspace, procedureId, environment });
      things.push(["default", procedureId, environment, version]);
    }
  }
  for (const environment of ["sandbox", "live"] as const) things.push(...(await everythingOf(storage, environment)));
  // Entries contain the recorded change and their place.
  for (const { body } of await storage.audit.list({ workspace, afterSeq: 0, limit: 1_000 }))
    things.push(["told", body]);
  return things.map((thing) => JSON.stringify(thing)).sort();
}

async function everythingOf(storage: Storage, environment: Environment): Promise<readonly unknown[]> {
  const scope = { workspace: "default", environment };
  const things: unknown[] = [];
  for (const run of (await storage.runs.list({ scope, limit: 1_000 })).items) {
    things.push(run, await storage.inbox.read({ scope, runId: run.runId }));
  }
  things.push(...(await storage.reviews.list({ scope, limit: 1_000 })).items);
  const webhooks = await storage.records.list({ ...scope, kind: "webhook", limit: 1_000 });
  for (const { id: webhookId } of webhooks.items) {
    const { items } = await storage.deliveries.list({ scope, webhookId, limit: 1_000 });
    // The sender changes deliveries by itself, so that only their ids are compared.
    things.push(...items.map(({ deliveryId }) => ["delivery", deliveryId]));
  }
  const triggers = await storage.records.list({ ...scope, kind: "trigger", limit: 1_000 });
  for (const { id: triggerId } of triggers.items) {
    const { items } = await storage.triggers.list({ scope, triggerId, limit: 1_000 });
    // The pump changes firings by itself, so that only their ids are compared.
    things.push(...items.map(({ firingId }) => ["firing", firingId]));
  }
  return things;
}
