import type { Page } from "playwright-core";
import { expect, onTestFinished } from "vitest";
import { openBrowser } from "./browser.ts";
import type { Service, ServicePerson } from "./service.ts";

export interface PageOptions {
  /** Signed in as this person. @defaultValue nobody */
  readonly person?: ServicePerson;
  readonly width?: number;
  readonly height?: number;
  readonly colorScheme?: "light" | "dark";
  /** Origins beside the service's own that the page is led to, such as that of an authorization server. */
  readonly otherOrigins?: readonly string[];
}

/** A page of a browser context of its own. */
export interface WatchedPage extends Page {
  /** Faults since the page was opened: errors, violations of the content security policy, requests to other hosts. */
  readonly faults: readonly string[];
}

const reportViolations = `
  document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => {
    console.error("content security policy: " + violatedDirective + " " + blockedURI);
  });
`;

/** Opens a page of the dashboard until the test ends, which fails if the page had a fault. */
export async function openPage(service: Pick<Service, "url">, options: PageOptions = {}): Promise<WatchedPage> {
  const { person, width = 1280, height = 800, colorScheme = "light" } = options;
  const { otherOrigins = [] } = options;
  const browser = await openBrowser();
  const context = await browser.newContext({
    baseURL: service.url,
    viewport: { width, height },
    colorScheme,
    reducedMotion: "reduce",
    timezoneId: "Europe/Berlin",
    locale: "en-GB",
  });
  // Ends a wait that hangs. On a busy machine a page may take longer than Playwright's 30 s.
  context.setDefaultTimeout(90_000);
  if (person !== undefined) {
    const { email, password } = person;
    const data = { email, password, answerWith: "cookie" };
    const answer = await context.request.post("/api/v1/session", { data });
    if (answer.status() !== 201) throw new Error(`The sign-in was answered with ${answer.status()}.`);
  }
  const faults: string[] = [];
  const page = await context.newPage();
  page.on("pageerror", (error) => faults.push(`error: ${error.message}`));
  page.on("console", (message) => {
    // Answers with an error status are reported by the browser itself.
    const isAnswer = message.text().startsWith("Failed to load resource");
    if (message.type() === "error" && !isAnswer) faults.push(`console: ${message.text()}`);
  });
  page.on("request", (request) => {
    const { origin, protocol } = new URL(request.url());
    const isKnown = origin === new URL(service.url).origin || otherOrigins.includes(origin);
    const isOwn = isKnown || protocol === "data:" || protocol === "blob:";
    if (!isOwn) faults.push(`request to ${origin}`);
  });
  // Text, because the tests are compiled without the browser's types, which differ from Node's.
  await page.addInitScript({ content: reportViolations });
  onTestFinished(async () => {
    await context.close();
    expect(faults).toEqual([]);
  });
  return Object.assign(page, { faults });
}
