import { ProcedoError } from "@procedo/contract";
import type { Storage } from "@procedo/storage";
import type { Clock } from "./clock.ts";

/** Whether storage takes writes, as the latest ones tell. Nothing is written to find out while none was refused. */
export interface StorageWrites {
  /** Notes how a write ends, and gives it on. */
  noted<T>(write: Promise<T>): Promise<T>;
  /**
   * Resolves unless a write was refused and none was taken since. After a refusal it writes a record itself and removes it
   * again, once a second at most, so that it notices by itself when there is space again.
   *
   * @throws ProcedoError `storage_unavailable` with what storage said
   */
  check(): Promise<void>;
}

const betweenProbesMs = 1_000;

/** As large as the rows of most runs: on a full disk a smaller one may still fit into what is left. */
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
      // One that is there was written by another node, or before this process was killed.
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
