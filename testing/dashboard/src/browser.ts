import packed from "@sparticuz/chromium";
import { chromium, type Browser } from "playwright-core";

let opened: Promise<Browser> | undefined;

/** The browser of the suite, which starts once. */
export function openBrowser(): Promise<Browser> {
  return (opened ??= launch());
}

export async function closeBrowser(): Promise<void> {
  await (await opened)?.close();
  opened = undefined;
}

async function launch(): Promise<Browser> {
  packed.setGraphicsMode = false;
  // Never the flags of the package: they switch off the browser's protection of web pages, which the tests check.
  const args = ["--no-sandbox", "--no-zygote"];
  return await chromium.launch({ executablePath: await packed.executablePath(), args });
}
