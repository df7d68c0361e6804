/** What an entry says of itself, whatever values stand beside it. */
export interface BareEntry {
  readonly type: string;
  readonly nodeId?: string;
  readonly call?: number;
  readonly attempt?: number;
  readonly turn?: number;
  readonly retryAtMs?: number;
}

/** The entries of a journal row by itself: what rows before it say is not resolved. */
export function bareEntries(body: string): readonly BareEntry[] {
  const row = JSON.parse(body) as readonly (number | BareEntry)[];
  return row.filter((one) => typeof one === "object");
}
