import type { TestProject } from "vitest/node";
import { startBrowser } from "./src/browser.ts";

/** One browser for the suite: its start takes longer than most tests. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const browser = await startBrowser();
  project.provide("browser", browser.wsEndpoint());
  return () => browser.close();
}
