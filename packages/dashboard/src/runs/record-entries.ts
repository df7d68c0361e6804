/*
 * Derives the entries of a record's rows from their bodies, whose digests are signed. A body states facts by their
 * names, and data by JSON pointers; `refs` names the places of data that an earlier entry holds, as `row/entry/pointer`.
 * Members that a body leaves out follow from other members, from the entries before, or are what they mostly are.
 */
import { digestOf } from "../values/digest.ts";

type Members = Record<string, unknown>;

/** The entries that the body of a row states. Rows are read in their order. */
export type ReadEntries = (row: { readonly seq: number; readonly body: string }) => Promise<readonly unknown[]>;

/** What the entries before state. */
interface Before {
  readonly runId: string;
  readonly atMs: number;
  /** The latest call that was begun. */
  readonly intent: Members;
}

export function entryReader(runId: string): ReadEntries {
  const read: Record<string, readonly Members[]> = {};
  let intent: Members = {};
  return async ({ seq, body }) => {
    const [beginsAtMs = 0, ...stored] = JSON.parse(body) as readonly [number, ...Members[]] | readonly [];
    const entries: Members[] = [];
    read[seq] = entries;
    let atMs = beginsAtMs;
    for (const { refs = {}, afterMs = 0, ...members } of stored) {
      const entry: Members = { atMs: atMs + (afterMs as number) };
      for (const [name, member] of Object.entries(members)) if (!name.startsWith("/")) entry[name] = member;
      await addDerived(entry, { runId, atMs, intent });
      for (const [name, member] of Object.entries(members)) if (name.startsWith("/")) setAt(entry, name, member);
      for (const [at, place] of Object.entries(refs as object)) setAt(entry, at, valueAt(read, `/${String(place)}`));
      entries.push(entry);
      atMs = entry["atMs"] as number;
      if (entry["type"] === "intent") intent = entry;
    }
    return entries;
  };
}

const oneVisit = { visit: 1 };
const usual: Readonly<Record<string, Readonly<Members>>> = {
  branch_taken: oneVisit,
  prompted: oneVisit,
  replied: oneVisit,
  concluded: oneVisit,
  node_failed: oneVisit,
  review_opened: oneVisit,
  held: oneVisit,
  emitted: oneVisit,
  intent: { visit: 1, call: 1, attempt: 1, timeoutMs: 60_000 },
};

/** Adds what the body leaves out. */
async function addDerived(entry: Members, { runId, intent }: Before): Promise<void> {
  const atMs = entry["atMs"] as number;
  const type = String(entry["type"]);
  addMissing(entry, usual[type] ?? {});
  if (type === "started") addInside(entry, "facts", { runId, createdAt: new Date(atMs).toISOString() });
  if (type === "intent") {
    const { nodeId, visit, call } = entry;
    const key = (await digestOf([runId, nodeId, visit, call].join("\n"))).slice(0, 32);
    addMissing(entry, { key, sendByMs: atMs + 5_000 });
    addInside(entry, "frozen", frozenBefore(entry, intent));
  }
  if (type === "outcome") {
    const { nodeId, visit, call, attempt } = intent;
    addMissing(entry, { nodeId, visit, call, attempt });
    addInside(entry, "result", { status: "ok" });
  }
  if (type === "ended") addInside(entry, "result", { status: "completed" });
}

/** A call is mostly one like the call before. */
function frozenBefore(entry: Members, intent: Members): Members {
  const { connection, connectionId, action, revision, effect } = (intent["frozen"] ?? {}) as Members;
  const own = ((entry["frozen"] ?? {}) as Members)["connection"] ?? connection;
  return { connection, connectionId: own === connection ? connectionId : own, action, revision, effect };
}

function addInside(entry: Members, name: string, derived: Members): void {
  const inner = { ...(entry[name] as Members | undefined) };
  addMissing(inner, derived);
  entry[name] = inner;
}

function addMissing(members: Members, derived: Readonly<Members>): void {
  for (const [name, value] of Object.entries(derived)) members[name] ??= value;
}

function valueAt(root: object, pointer: string): unknown {
  return namesOf(pointer).reduce<unknown>(
    (value, name) => (isContainer(value) && Object.hasOwn(value, name) ? value[name] : undefined),
    root,
  );
}

/** Sets a value, also under a name like `__proto__`, and creates missing objects on the way. */
function setAt(root: Members, pointer: string, value: unknown): void {
  const names = namesOf(pointer);
  let target = root;
  for (const name of names.slice(0, -1)) {
    if (!Object.hasOwn(target, name)) define(target, name, {});
    target = target[name] as Members;
  }
  define(target, names.at(-1) ?? "", value);
}

function define(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, enumerable: true, writable: true, configurable: true });
}

function namesOf(pointer: string): readonly string[] {
  const names = pointer.split("/").slice(1);
  return names.map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function isContainer(value: unknown): value is Members {
  return typeof value === "object" && value !== null;
}
