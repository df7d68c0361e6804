import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { services } from "../packages/integrations/src/services/index.ts";
import { integrationsPage } from "./integrations-page.ts";
import { root } from "./workspace.ts";

test("docs/integrations.md matches the code (pnpm docs:update)", () => {
  expect(readFileSync(join(root, "docs/integrations.md"), "utf8")).toBe(integrationsPage());
});

test("the page names every action and event of every service", () => {
  const page = integrationsPage();
  for (const { title, actions, inbound } of services()) {
    expect(page).toContain(`## ${title}`);
    for (const name of [...actions.keys(), ...(inbound?.events ?? []).map(({ type }) => type)])
      expect(page).toContain(`\`${name}\``);
  }
});
