/** The fields of an entry itself, without the values beside it. */
export interface BareEntry {
  readonly type: string;
  readonly nodeId?: string;
  readonly call?: number;
  readonly attempt?: number;
  readonly turn?: number;
  readonly retryAtMs?: number;
}

/** The entries of a single journal row; references to earlier rows are not resolved. */
export function bareEntries(body: string): readonly BareEntry[] {
  const row = JSON.parse(body) as readonly (number | BareEntry)[];
  return row.filter((one) => typeof one === "object");
}
