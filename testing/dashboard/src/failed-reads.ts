import type { Page } from "playwright-core";

/**
 * Lets the reads of an address fail with the status 500 and a request id, until the returned function is called. The
 * stream of changes fails for good: each time that it opens, a page reads everything again by itself, and a test that
 * presses Retry would find the button gone.
 */
export async function failReads(page: Page, address: string | RegExp, requestId: string): Promise<() => Promise<void>> {
  const json = { code: "internal", error: "The request failed.", requestId };
  await page.route(address, (route) => route.fulfill({ status: 500, json }));
  await page.route("**/api/v1/events*", (route) => route.abort());
  return () => page.unroute(address);
}
