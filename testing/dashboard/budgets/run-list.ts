/*
 * Measures the list of runs on a service that holds many: node --conditions=@procedo/source
 * testing/dashboard/budgets/run-list.ts [number of runs, 100000]. The budget is 300 ms a page.
 */
import { startBrowser } from "../src/browser.ts";
import { startService } from "../src/service.ts";
import { chromium, type Page } from "playwright-core";

const total = Number(process.argv[2] ?? 100_000);
const together = 200;
const service = await startService();
const owner = await service.join("Olga Owner", { sandbox: ["owner"], live: ["owner"] });
for (let first = 0; first < total; first += together) {
  const batch = Array.from({ length: Math.min(together, total - first) }, (_, at) =>
    service.run("supplier-invoice", {
      invoice: `INV-${String(first + at).padStart(7, "0")}`,
      amount: first + at + 1,
      currency: "EUR",
      approved: true,
    }),
  );
  await Promise.all(batch);
}

const server = await startBrowser();
const browser = await chromium.connect(server.wsEndpoint());
const context = await browser.newContext({ baseURL: service.url });
const { email, password } = owner;
await context.request.post("/api/v1/session", { data: { email, password, answerWith: "cookie" } });
const page = await context.newPage();
await page.goto("/dashboard/sandbox");
await page.getByRole("heading", { level: 1, name: "Home" }).waitFor();

/** Milliseconds from an action until a row is shown, the median of five. */
async function measure(name: string, act: (page: Page) => Promise<void>, row: RegExp): Promise<void> {
  const taken: number[] = [];
  for (let turn = 0; turn < 5; turn++) {
    await page.goto("/dashboard/account");
    await page.getByRole("heading", { level: 1 }).waitFor();
    const fromMs = performance.now();
    await act(page);
    await page.getByRole("rowheader", { name: row }).first().waitFor();
    taken.push(performance.now() - fromMs);
  }
  console.log(`${name}: ${Math.round(taken.toSorted((a, b) => a - b)[2] ?? 0)} ms`);
}

const open = (search: string) => async (on: Page) => void (await on.goto(`/dashboard/sandbox/runs${search}`));
const last = `INV-${String(total - 1).padStart(7, "0")}`;
const middle = `INV-${String(Math.floor(total / 2)).padStart(7, "0")}`;
await measure(
  "From the navigation",
  (on) => on.getByRole("link", { name: "Runs", exact: true }).click(),
  new RegExp(last),
);
await measure("Loaded anew", open(""), new RegExp(last));
await measure("By status and procedure", open("?status=completed&procedure=supplier-invoice"), new RegExp(last));
await measure("By reference", open(`?q=${middle}`), new RegExp(middle));
const today = new Date().toISOString().slice(0, 10);
await measure("By day", open(`?from=${today}&startedBy=ana%40acme.example`), new RegExp(last));
await browser.close();
await server.close();
await service.stop();
