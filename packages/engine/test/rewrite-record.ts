import type { RecordAddress, Storage } from "@procedo/storage";

/** Stores a record as it is once more, which every engine is told of. */
export async function rewriteRecord({ records }: Storage, address: Omit<RecordAddress, "workspace">): Promise<void> {
  const row = await records.get({ workspace: "default", ...address });
  if (row === undefined) throw new Error(`There is no ${address.kind} "${address.id}".`);
  const { revision, ...record } = row;
  await records.put({ record, ifRevision: revision });
}
