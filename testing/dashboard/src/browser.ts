import packed from "@sparticuz/chromium";
import { chromium, type Browser, type BrowserServer } from "playwright-core";
import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    /** Address of the browser that all tests of the suite use. */
    readonly browser: string;
  }
}

/** Starts the browser. Its address is given to {@link openBrowser} by the suite. */
export async function startBrowser(): Promise<BrowserServer> {
  packed.setGraphicsMode = false;
  // Never the flags of the package: they switch off the browser's protection of web pages, which the tests check.
  const args = ["--no-sandbox", "--no-zygote"];
  return await chromium.launchServer({ executablePath: await packed.executablePath(), args });
}

let connected: Promise<Browser> | undefined;

/** The browser of the suite. A process of tests connects to it once. */
export function openBrowser(): Promise<Browser> {
  return (connected ??= chromium.connect(inject("browser")));
}
