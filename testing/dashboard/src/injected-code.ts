import type { Page } from "playwright-core";

/** Runs in the page, where the types of this project do not hold. */
const script = `(() => {
  const foreign = 'script:not([type="module"]), iframe, object, embed, meta[http-equiv], style, body img, body base';
  const found = [...document.querySelectorAll(foreign)].map(({ outerHTML }) => outerHTML.slice(0, 200));
  for (const { tagName, attributes } of document.querySelectorAll("*")) {
    for (const { name, value } of attributes) {
      const isAddress = ["href", "src", "action", "formaction"].includes(name);
      const runs = name.startsWith("on") || (isAddress && /^\\s*(javascript|data|vbscript):/i.test(value));
      if (runs) found.push(tagName + " " + name + "=" + value.slice(0, 100));
    }
  }
  return found;
})()`;

/** Elements that no page of the dashboard has, and attributes that run code. */
export async function injectedCode(page: Page): Promise<readonly string[]> {
  return await page.evaluate<readonly string[]>(script);
}

/** By how many pixels the page is wider than its window. */
export async function surplusWidth(page: Page): Promise<number> {
  return await page.evaluate<number>("document.documentElement.scrollWidth - window.innerWidth");
}
