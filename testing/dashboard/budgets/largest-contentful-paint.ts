/*
 * The largest contentful paint of each page on this machine, cold (empty cache) and warm. Prints a table, and fails
 * nothing: node --conditions=@procedo/source testing/dashboard/budgets/largest-contentful-paint.ts
 */
import { chromium, type BrowserContext } from "playwright-core";
import { startBrowser } from "../src/browser.ts";
import { startService } from "../src/service.ts";
import { settled } from "../src/settled-page.ts";

const visits = 5;

/** Resolves with milliseconds since the navigation began, once no larger element has come for 500 ms. */
const paint = `new Promise((resolve) => {
  let last = 0;
  new PerformanceObserver((list) => {
    for (const { startTime } of list.getEntries()) last = startTime;
  }).observe({ type: "largest-contentful-paint", buffered: true });
  setTimeout(() => resolve(last), 500);
})`;

const service = await startService();
const server = await startBrowser();
const browser = await chromium.connect(server.wsEndpoint());
try {
  const { email, password } = await service.join("Ana Alvarez", { sandbox: ["owner"], live: ["owner"] });
  const runId = await service.run("vendor-payment", { payee: "Acme GmbH", amount: 4_500_000 });
  const paths = [
    "sign-in",
    "sandbox",
    "sandbox/runs",
    `sandbox/runs/${runId}`,
    "sandbox/reviews",
    "sandbox/procedures",
  ];
  const median = (times: readonly number[]): number => Math.round(times.toSorted((a, b) => a - b)[visits >> 1] ?? 0);
  const visit = async (context: BrowserContext, path: string): Promise<number> => {
    const page = await context.newPage();
    await page.goto(`/dashboard/${path}`);
    await settled(page);
    const ms = await page.evaluate<number>(paint);
    await page.close();
    return ms;
  };
  for (const path of paths) {
    const [cold, warm]: [number[], number[]] = [[], []];
    for (let count = 0; count < visits; count++) {
      const context = await browser.newContext({ baseURL: service.url, viewport: { width: 1280, height: 800 } });
      if (path !== "sign-in") {
        await context.request.post("/api/v1/session", { data: { email, password, answerWith: "cookie" } });
      }
      cold.push(await visit(context, path));
      warm.push(await visit(context, path));
      await context.close();
    }
    console.log(`${path.padEnd(46)} cold ${median(cold)} ms, warm ${median(warm)} ms (medians of ${visits})`);
  }
} finally {
  await browser.close();
  await server.close();
  await service.stop();
}
