import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openPage, seriousProblems, type WatchedPage } from "@procedo-testing/dashboard";
import { afterAll, beforeAll, expect, test } from "vitest";

let folder: string;
let example: ChildProcess;
let printed = "";

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "procedo-example-"));
  const script = fileURLToPath(new URL("../../../examples/vendor-payment/src/serve.ts", import.meta.url));
  example = spawn(process.execPath, ["--conditions=@procedo/source", script], {
    cwd: folder,
    env: {
      PATH: process.env["PATH"],
      NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
      PORT: "0",
      PROCEDO_DATA_DIR: join(folder, "data"),
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  for await (const chunk of example.stdout?.setEncoding("utf8") ?? []) {
    printed += String(chunk);
    if (printed.includes("Press Ctrl-C to stop.")) return;
  }
});

afterAll(async () => {
  const ended = once(example, "close");
  example.kill("SIGINT");
  await ended;
  rmSync(folder, { recursive: true, force: true });
});

/** Opens the printed link of a person, and creates the account. */
async function joinAs(name: "Ana" | "Ben", width: number): Promise<WatchedPage> {
  const line = new RegExp(`${name.toLowerCase()}@example\\.com \\(\\w+\\) +(\\S+)`);
  const link = new URL(line.exec(printed)?.[1] ?? "");
  const page = await openPage({ url: link.origin }, { width });
  await page.goto(link.href);
  await page.getByRole("textbox", { name: "Your name" }).fill(name);
  await page.getByLabel("Password", { exact: true }).fill("seventeen green barges");
  await page.getByRole("button", { name: "Create account" }).click();
  await page.getByRole("heading", { level: 1, name: "Home" }).waitFor();
  return page;
}

test("Ben joins by the printed link on a phone, and decides the review that waits for him", async () => {
  const page = await joinAs("Ben", 390);
  const title = "Pay 18,500.00 EUR to Acme Industrial GmbH?";
  await page
    .getByRole("region", { name: "Needs attention" })
    .getByRole("link", { name: new RegExp(title.replace("?", "\\?")) })
    .click();
  await page.getByRole("heading", { name: title }).waitFor();
  await page.getByRole("region", { name: "What will be sent" }).getByText("1850000").waitFor();
  expect(await seriousProblems(page)).toEqual([]);
  await page.getByRole("button", { name: "Approve" }).click();
  await page.getByRole("status").getByText("Decision recorded").waitFor();
});

test("Ana joins by the printed link, starts the example payment, and is told that another person decides", async () => {
  const page = await joinAs("Ana", 1280);
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Runs" }).click();
  await page.getByRole("link", { name: "Start run" }).first().click();
  // The page of runs has a list of procedures as well.
  await page.getByRole("heading", { level: 1, name: "Start run" }).waitFor();
  await page.getByRole("combobox", { name: "Procedure" }).selectOption("vendor-payment");
  await page.getByRole("textbox", { name: "Vendor" }).fill("ven_acme");
  await page.getByRole("textbox", { name: "Invoice" }).fill("inv_1002");
  await page.getByRole("textbox", { name: "Amount" }).fill("4500000");
  await page.getByRole("button", { name: /^Start run/ }).click();
  await page.getByRole("link", { name: "Open review" }).first().click();
  await page.getByRole("heading", { name: "Pay 45,000.00 EUR to Acme Industrial GmbH?" }).waitFor();
  expect(await page.getByRole("button", { name: /^Approve/ }).isDisabled()).toBe(true);
});
