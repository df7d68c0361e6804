import type { Page } from "playwright-core";
import type { ServicePerson } from "../src/service.ts";
import type { Scene } from "./seed.ts";

/** A page in one of its states, as the sheet shows it. */
export interface State {
  /** Name of the file, without `.png`. */
  readonly name: string;
  readonly caption: string;
  /** Pattern of the page's address, as the router has it below `/dashboard`. */
  readonly route: string;
  readonly path: (scene: Scene) => string;
  /** @defaultValue the owner; `null` without signing in */
  readonly person?: ((scene: Scene) => ServicePerson) | null;
  /** In pixels. @defaultValue 1200 */
  readonly width?: number;
  /** In pixels. @defaultValue 800, and 844 on a phone */
  readonly height?: number;
  /** Brings the page into the state. */
  readonly prepare?: (page: Page, scene: Scene) => Promise<void>;
}

export const phone = { width: 390 };

export const click = async (page: Page, name: RegExp | string): Promise<void> => {
  await page.getByRole("button", { name }).first().click();
};
/** Shows the addresses of receivers as they would be elsewhere. */
export const renamed = (page: Page, { webhooks }: Scene): Promise<void> => webhooks.rename(page);
