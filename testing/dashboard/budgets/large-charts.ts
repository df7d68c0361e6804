/*
 * Measures the editor of large procedures on this machine, and fails nothing: node --conditions=@procedo/source
 * testing/dashboard/budgets/large-charts.ts [steps, 300 1000]. The budget of 300 steps is 400 ms until the chart is drawn,
 * and 50 frames a second while it is moved.
 */
import { chromium } from "playwright-core";
import { startBrowser } from "../src/browser.ts";
import { largeDocument } from "../src/documents/large-document.ts";
import { startService } from "../src/service.ts";

const counts = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [300, 1_000];
const pans = 60;

/** Frames a second while the focused chart is moved by its keys. */
const panned = `new Promise((resolve) => {
  const chart = document.querySelector("[aria-label=Flowchart]");
  const from = performance.now();
  let left = ${pans};
  const pan = () => {
    if (left-- === 0) return resolve(${pans} / ((performance.now() - from) / 1000));
    chart.dispatchEvent(new KeyboardEvent("keydown", { key: left % 2 ? "ArrowDown" : "ArrowUp", bubbles: true }));
    requestAnimationFrame(pan);
  };
  requestAnimationFrame(pan);
})`;

const service = await startService();
const server = await startBrowser();
const browser = await chromium.connect(server.wsEndpoint());
try {
  const { email, password } = await service.join("Ana Alvarez", { sandbox: ["owner"], live: ["owner"] });
  for (const count of counts) {
    const document = largeDocument(`steps-${count}`, count);
    await service.engine.procedures.saveDraft({
      procedureId: document.procedureId,
      document,
      revision: 0,
      by: { person: "ana@acme.example", via: "test" },
    });
    const context = await browser.newContext({ baseURL: service.url, viewport: { width: 1440, height: 900 } });
    await context.request.post("/api/v1/session", { data: { email, password, answerWith: "cookie" } });
    const page = await context.newPage();
    await page.goto(`/dashboard/sandbox/procedures/${document.procedureId}/edit?view=try`);
    await page.getByRole("link", { name: "Flowchart" }).waitFor();
    const fromMs = performance.now();
    await page.getByRole("link", { name: "Flowchart" }).click();
    await page.getByRole("application", { name: "Flowchart" }).getByRole("group").first().waitFor();
    const drawnMs = performance.now() - fromMs;
    const frames = await page.evaluate<number>(panned);
    console.log(`${count} steps: drawn in ${Math.round(drawnMs)} ms, moved at ${Math.round(frames)} frames a second`);
    await context.close();
  }
} finally {
  await browser.close();
  await server.close();
  await service.stop();
}
