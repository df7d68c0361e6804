import type { Page } from "playwright-core";

/** Resolves once the page is not busy and has not changed for 400 ms; at the latest after 8 s. */
const script = `new Promise((resolve) => {
  const begun = performance.now();
  let changed = begun;
  new MutationObserver(() => (changed = performance.now())).observe(document, {
    subtree: true, childList: true, characterData: true, attributes: true,
  });
  const look = () => {
    const now = performance.now();
    const isBusy = document.querySelector('[aria-busy="true"]') !== null;
    if ((!isBusy && now - changed > 400) || now - begun > 8000) resolve(document.fonts.ready.then(() => undefined));
    else requestAnimationFrame(look);
  };
  look();
})`;

/** Waits until a page shows what it read. The stream of changes stays open, so that its network is never idle. */
export async function settled(page: Page): Promise<void> {
  await page.getByRole("main").or(page.getByRole("textbox")).first().waitFor();
  await page.evaluate(script);
}
