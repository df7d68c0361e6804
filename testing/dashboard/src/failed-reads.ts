import type { Page } from "playwright-core";

/**
 * Lets the reads of an address fail with the status 500 and a request id, until the returned function is called. The
 * stream of changes fails as well: each time that it opens, a page reads everything again by itself.
 */
export async function failReads(page: Page, address: string | RegExp, requestId: string): Promise<() => Promise<void>> {
  const json = { code: "internal", error: "The request failed.", requestId };
  const events = "**/api/v1/events*";
  await page.route(address, (route) => route.fulfill({ status: 500, json }));
  await page.route(events, (route) => route.abort());
  return async () => {
    await page.unroute(address);
    await page.unroute(events);
  };
}
