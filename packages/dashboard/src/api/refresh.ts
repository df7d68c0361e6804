/* Reading again what a change makes outdated. */
import { CancelledError, type Query, type QueryClient, type QueryKey } from "@tanstack/react-query";
import { ApiError, isRetryable } from "./api-error.ts";

export interface Refresh {
  /** Reads again what the keys begin with. */
  readonly read: (keys: readonly QueryKey[]) => void;
  /** Reads everything again that may change. */
  readonly readAll: () => void;
}

const retryMs = 10_000;

/**
 * Reads queries again, each one at a time: changes that come during a read lead to one more, not to one each. What is not
 * shown is read when it is shown.
 */
export function createRefresh(queryClient: QueryClient): Refresh {
  const reading = new Set<string>();
  const again = new Set<string>();

  const readNow = (queryKey: QueryKey): Promise<void> => queryClient.invalidateQueries({ queryKey, exact: true });
  const isKept = (query: Query): boolean => queryClient.getQueryCache().get(query.queryHash) === query;
  const readQuery = async (query: Query): Promise<void> => {
    const { queryHash, queryKey } = query;
    if (reading.has(queryHash)) {
      again.add(queryHash);
      return;
    }
    reading.add(queryHash);
    do {
      again.delete(queryHash);
      await endOf(query);
      const read = readNow(queryKey);
      const begun = query.promise;
      await read;
      // The next page, for which the person asked meanwhile, took the place of the read.
      if ((await isCancelled(begun)) && isKept(query)) again.add(queryHash);
    } while (again.has(queryHash));
    reading.delete(queryHash);
    if (isOutdated(query)) setTimeout(() => retry(query), retryMs);
  };
  const retry = (query: Query): void => {
    if (isOutdated(query)) void readQuery(query);
  };
  const readWhere = (isMeant: (query: Query) => boolean): void => {
    for (const query of queryClient.getQueryCache().getAll()) if (isMeant(query)) void readQuery(query);
  };
  return {
    read: (keys) => readWhere(({ queryKey }) => keys.some((key) => beginsWith(queryKey, key))),
    readAll: () => readWhere(({ queryKey }) => queryKey[0] !== "version"),
  };
}

/**
 * Waits for a read that is in progress. It may have begun before the change, but is not begun anew: it may be the next
 * page, for which the person asked.
 */
async function endOf(query: Query): Promise<void> {
  if (query.state.fetchStatus !== "idle") await query.promise?.catch(() => {});
}

async function isCancelled(read: Promise<unknown> | undefined): Promise<boolean> {
  return (
    (await read?.then(
      () => false,
      (error: unknown) => error instanceof CancelledError,
    )) === true
  );
}

/** Whether a query is shown as it was before a failure that may pass. */
export function isOutdated(query: Query): boolean {
  const { data, status, error } = query.state;
  if (!query.isActive() || data === undefined || status !== "error") return false;
  return isRetryable(error) || (error instanceof ApiError && (error.status ?? 0) >= 500);
}

function beginsWith(key: QueryKey, start: QueryKey): boolean {
  return start.every((part, index) => key[index] === part);
}
