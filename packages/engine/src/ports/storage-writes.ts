import { ProcedoError } from "@procedo/contract";
import type { Storage } from "@procedo/storage";
import type { Clock } from "./clock.ts";

/**
 * Tracks whether storage accepts writes, by the outcome of the latest ones. A write for this purpose is made only after
 * a refused one.
 */
export interface StorageWrites {
  /** Records the outcome of a write, and returns the same promise. */
  noted<T>(write: Promise<T>): Promise<T>;
  /**
   * Resolves unless a write was refused and none was accepted since. After a refusal it writes and removes a record, at
   * most once per second, to find out whether storage accepts writes again.
   *
   * @throws ProcedoError `storage_unavailable` with the error of the refused write
   */
  check(): Promise<void>;
}

const betweenProbesMs = 1_000;

/** As large as the rows of most runs: a smaller record may still fit on a full disk. */
const probeBytes = 64 * 1024;

export function createStorageWrites(
  { clock, records }: { readonly clock: Pick<Clock, "monotonic">; readonly records: Storage["records"] },
  workspace: string,
): StorageWrites {
  let refusal: ProcedoError | undefined;
  let probedAtMs = -Infinity;
  let probing: Promise<void> | undefined;

  const note = (error: unknown): void => {
    if (ProcedoError.isError(error) && error.code === "storage_unavailable") refusal = error;
  };

  const probe = async (): Promise<void> => {
    const address = { workspace, kind: "engine", id: "write-probe" };
    const body = JSON.stringify({ text: "x".repeat(probeBytes) });
    const record = { ...address, environment: undefined, body, uniqueKeys: [], keys: [] };
    try {
      // An existing record was left by another node, or by a process that was killed.
      await records.remove(address);
      await records.put({ record, ifRevision: 0 });
      await records.remove(address);
      refusal = undefined;
    } catch (error) {
      note(error);
      throw error;
    }
  };

  return {
    noted: (write) => {
      write.catch(note);
      return write;
    },
    check: async () => {
      if (refusal === undefined) return;
      if (probing === undefined && clock.monotonic() - probedAtMs < betweenProbesMs) throw refusal;
      probedAtMs = clock.monotonic();
      probing ??= probe().finally(() => {
        probing = undefined;
      });
      await probing;
    },
  };
}
