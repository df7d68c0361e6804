import type { JsonValue } from "@procedo/contract";
import { expect, test } from "vitest";
import { readPages, type ServicePages } from "./read-pages.ts";
import type { ServiceRequest } from "./service-request.ts";

interface Page {
  readonly data: readonly JsonValue[];
  readonly next?: string;
}

const pagesOf: Pick<ServicePages, "items" | "next"> = {
  items: (body) => (body as unknown as Page).data,
  next: (body, sent) => {
    const { next } = body as unknown as Page;
    return next === undefined ? undefined : { ...sent, query: { after: next } };
  },
};

/** Reads a list of three pages with two items each. */
async function read(bounds: { maxPages?: number; maxItems?: number } = {}) {
  const asked: (ServiceRequest["query"] | undefined)[] = [];
  const output = await readPages({ ...pagesOf, ...bounds }, { path: "/items" }, async ({ query }) => {
    asked.push(query);
    const page = asked.length;
    return { data: [page * 2 - 1, page * 2], ...(page < 3 && { next: `p${page + 1}` }) };
  });
  return { asked, ...output };
}

test("a list is read to its end, each page with the cursor of the one before", async () => {
  expect(await read()).toEqual({
    asked: [undefined, { after: "p2" }, { after: "p3" }],
    items: [1, 2, 3, 4, 5, 6],
    pages: 3,
    hasMore: false,
  });
});

test.each([
  [{ maxPages: 2 }, [1, 2, 3, 4], 2],
  [{ maxItems: 3 }, [1, 2, 3], 2],
  [{ maxItems: 2 }, [1, 2], 1],
])("a list beyond its bounds %j says that it goes on", async (bounds, items, pages) => {
  expect(await read(bounds)).toMatchObject({ items, pages, hasMore: true });
});

test("a list that ends at its bound does not go on", async () => {
  expect(await read({ maxItems: 6, maxPages: 3 })).toMatchObject({ pages: 3, hasMore: false });
});

test("a list stops before its items are too large for a step, and a first page that is too large is refused", async () => {
  const large = "x".repeat(3 * 1024 * 1024);
  const endless = async () => ({ data: [large], next: "more" });
  expect(await readPages(pagesOf, { path: "/" }, endless)).toMatchObject({ pages: 1, hasMore: true });
  const huge = async () => ({ data: [large, large] });
  await expect(readPages(pagesOf, { path: "/" }, huge)).rejects.toThrow("Ask for fewer items");
});
