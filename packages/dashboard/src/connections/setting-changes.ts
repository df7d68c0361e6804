/* The part of a connection's settings that a person changed. */
import { isSame } from "../values/is-same.ts";

type Settings = Readonly<Record<string, unknown>>;

/** What an update names: each setting with another value, and `null` for one that is gone. */
export function settingChanges(before: Settings, after: Settings): Record<string, unknown> {
  const changed = Object.entries(after).filter(([name, value]) => !isSame(before[name], value));
  // The document is replaced by another one, never removed.
  const gone = Object.keys(before).filter((name) => name !== "spec" && !Object.hasOwn(after, name));
  return { ...Object.fromEntries(changed), ...Object.fromEntries(gone.map((name) => [name, null])) };
}
