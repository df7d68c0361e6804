import { InfiniteQueryObserver, QueryClient, QueryObserver } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { createRefresh } from "./refresh.ts";

/** A query that is shown, and whose reads end when the test says so. */
function shown(queryKey: readonly string[]) {
  const queryClient = new QueryClient();
  const reads: PromiseWithResolvers<string>[] = [];
  const queryFn = (): Promise<string> => {
    const read = Promise.withResolvers<string>();
    reads.push(read);
    return read.promise;
  };
  const observer = new QueryObserver(queryClient, { queryKey, queryFn, retry: false });
  const stop = observer.subscribe(() => {});
  const end = async (index: number, text: string): Promise<void> => {
    reads[index]?.resolve(text);
    await settled();
  };
  return { refresh: createRefresh(queryClient), observer, reads, end, stop };
}

/** Lets all work that has been made possible happen. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("changes during a read lead to one more read", async () => {
  const { refresh, observer, reads, end, stop } = shown(["run", "live", "list"]);
  await end(0, "before");
  refresh.read([["run", "live"]]);
  refresh.read([["run", "live"]]);
  refresh.read([["run", "live"]]);
  await settled();
  expect(reads).toHaveLength(2);
  await end(1, "during");
  expect(reads).toHaveLength(3);
  await end(2, "after");
  expect(reads).toHaveLength(3);
  expect(observer.getCurrentResult().data).toBe("after");
  stop();
});

test("a change during the first read leads to another read", async () => {
  const { refresh, observer, reads, end, stop } = shown(["run", "live", "run_1"]);
  refresh.read([["run", "live", "run_1"]]);
  await settled();
  await end(0, "before");
  expect(reads).toHaveLength(2);
  await end(1, "after");
  expect(observer.getCurrentResult().data).toBe("after");
  stop();
});

test("only what the key begins with is read again", async () => {
  const { refresh, reads, end, stop } = shown(["run", "live", "list"]);
  await end(0, "before");
  refresh.read([
    ["run", "sandbox"],
    ["review", "live"],
  ]);
  await settled();
  expect(reads).toHaveLength(1);
  refresh.readAll();
  await settled();
  expect(reads).toHaveLength(2);
  stop();
});

test("a change while the next page is being read loses no page", async () => {
  const queryClient = new QueryClient();
  const reads: PromiseWithResolvers<string>[] = [];
  const observer = new InfiniteQueryObserver(queryClient, {
    queryKey: ["run", "live", "list"],
    queryFn: () => {
      const read = Promise.withResolvers<string>();
      reads.push(read);
      return read.promise;
    },
    initialPageParam: 1,
    getNextPageParam: (_page, pages) => pages.length + 1,
    retry: false,
  });
  const stop = observer.subscribe(() => {});
  const end = async (index: number, text: string): Promise<void> => {
    reads[index]?.resolve(text);
    await settled();
  };
  const pages = (): readonly string[] | undefined => observer.getCurrentResult().data?.pages;
  const refresh = createRefresh(queryClient);
  await end(0, "1");
  void observer.fetchNextPage();
  refresh.read([["run", "live"]]);
  await settled();
  await end(1, "2");
  expect(pages()).toEqual(["1", "2"]);
  await end(2, "1 again");
  // The person asks for more during the read of what changed.
  void observer.fetchNextPage();
  await settled();
  await end(4, "3");
  expect(pages()).toEqual(["1", "2", "3"]);
  for (const index of [5, 6, 7]) await end(index, `read ${index}`);
  expect(pages()).toEqual(["read 5", "read 6", "read 7"]);
  expect(reads).toHaveLength(8);
  stop();
});

test("what is forgotten during its read is not read again", async () => {
  const queryClient = new QueryClient();
  const observer = new QueryObserver(queryClient, { queryKey: ["run", "live"], queryFn: () => new Promise(() => {}) });
  const stop = observer.subscribe(() => {});
  createRefresh(queryClient).read([["run", "live"]]);
  queryClient.clear();
  await settled();
  expect(queryClient.getQueryCache().getAll()).toEqual([]);
  stop();
});
