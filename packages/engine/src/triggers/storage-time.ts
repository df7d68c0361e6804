import type { Storage } from "@procedo/storage";

/** The time of storage's clock, by which schedules fire and firings age, in milliseconds since the epoch. */
export async function storageTime({
  storage,
  workspace,
}: {
  readonly storage: Pick<Storage, "triggers">;
  readonly workspace: string;
}): Promise<number> {
  return (await storage.triggers.due({ workspace, limit: 1 })).nowMs;
}
