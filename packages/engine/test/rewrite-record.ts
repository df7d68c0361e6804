import type { RecordAddress, Storage } from "@procedo/storage";

/** Writes a record again unchanged, which notifies every engine. */
export async function rewriteRecord({ records }: Storage, address: Omit<RecordAddress, "workspace">): Promise<void> {
  const row = await records.get({ workspace: "default", ...address });
  if (row === undefined) throw new Error(`There is no ${address.kind} "${address.id}".`);
  const { revision, ...record } = row;
  await records.put({ record, ifRevision: revision });
}
