import type { Connection } from "../api/models.ts";
import { secretFields, type ConnectionDraft } from "./connection-draft.ts";
import type { ConnectionForm } from "./connection-form.ts";

/** The stored secrets that belong to the former method. Those that people named belong to no method, and stay. */
export function removedSecrets(
  form: ConnectionForm,
  draft: ConnectionDraft,
  { secretNames }: Pick<Connection, "secretNames">,
): readonly string[] {
  const own = new Set(secretFields(form, draft).map(({ name }) => name));
  const prefix = form.otherSecrets?.prefix;
  const isNamed = (name: string): boolean => prefix !== undefined && name.startsWith(prefix);
  return secretNames.filter((name) => !own.has(name) && !isNamed(name));
}
