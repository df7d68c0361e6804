/* Takes the screenshots of docs/dashboard.md: each state in the light and in the dark scheme. `pnpm dashboard:screenshots` */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { chromium, type Browser, type BrowserContext, type Cookie } from "playwright-core";
import { startOAuthServer } from "@procedo-testing/oauth-server";
import { booksOf } from "../src/books.ts";
import { startBrowser } from "../src/browser.ts";
import { settled } from "../src/settled-page.ts";
import { startService, type ServicePerson } from "../src/service.ts";
import { seed, type Scene } from "./seed.ts";
import { sheet } from "./sheet.ts";
import { shiftClock } from "./shifted-clock.ts";
import type { State } from "./state.ts";
import { states } from "./states.ts";

const folder = fileURLToPath(new URL("../../../docs/dashboard/", import.meta.url));
const page = fileURLToPath(new URL("../../../docs/dashboard.md", import.meta.url));
const asked = process.argv.slice(2);

const sessions = new Map<string, readonly Cookie[]>();
const clock = shiftClock();
clock.set("2026-11-20T07:30:00Z");
const oauthServer = await startOAuthServer();
const service = await startService([booksOf(oauthServer)]);
const server = await startBrowser();
const browser = await chromium.connect(server.wsEndpoint());
let scene: Scene | undefined;
try {
  mkdirSync(folder, { recursive: true });
  scene = await seed(service, oauthServer, clock);
  for (const state of states.filter(({ name }) => asked.length === 0 || asked.includes(name))) {
    for (const scheme of ["light", "dark"] as const) {
      const file = `${state.name}${scheme === "dark" ? "-dark" : ""}.png`;
      writeFileSync(folder + file, await take(browser, scene, state, scheme));
    }
  }
  writeFileSync(page, sheet(readFileSync(page, "utf8"), states));
} finally {
  await browser.close();
  await server.close();
  await service.stop();
  await oauthServer.stop();
  scene?.webhooks.stop();
}

async function take(browser: Browser, scene: Scene, state: State, colorScheme: "light" | "dark"): Promise<Buffer> {
  const { width = 1200, path, prepare } = state;
  const context = await browser.newContext({
    baseURL: scene.service.url,
    viewport: { width, height: state.height ?? (width > 640 ? 800 : 844) },
    deviceScaleFactor: 1,
    colorScheme,
    reducedMotion: "reduce",
    timezoneId: "Europe/Berlin",
    locale: "en-GB",
  });
  try {
    const person = state.person === null ? undefined : (state.person?.(scene) ?? scene.owner);
    if (person !== undefined) await context.addCookies(await cookiesOf(context, person));
    const opened = await context.newPage();
    await opened.clock.setFixedTime(Date.now());
    await opened.goto(`/dashboard/${path(scene)}`);
    await settled(opened);
    await prepare?.(opened, scene).catch((error: unknown) => {
      throw new Error(`The state ${state.name} was not reached.`, { cause: error });
    });
    await settled(opened);
    return await opened.screenshot({ caret: "hide", animations: "disabled" });
  } finally {
    await context.close();
  }
}

/** One session for all pages of a person, as the page of sessions shows. */
async function cookiesOf(context: BrowserContext, { email, password }: ServicePerson): Promise<readonly Cookie[]> {
  let cookies = sessions.get(email);
  if (cookies === undefined) {
    const data = { email, password, answerWith: "cookie" };
    const answer = await context.request.post("/api/v1/session", { data });
    if (!answer.ok()) throw new Error(`The sign-in was answered with ${answer.status()}.`);
    cookies = await context.cookies();
    sessions.set(email, cookies);
  }
  return cookies;
}
