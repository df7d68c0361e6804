import { readFileSync } from "node:fs";
import { openPage, settled, startService, type Service, type ServicePerson } from "@procedo-testing/dashboard";
import { afterAll, beforeAll, expect, test } from "vitest";

let service: Service;
let owner: ServicePerson;
let runId: string;
let connectionId: string;

beforeAll(async () => {
  service = await startService();
  owner = await service.join("Olga Owner", { sandbox: ["owner"], live: ["owner"] });
  const { items } = await service.engine.connections.list({ environment: "sandbox", limit: 1 });
  connectionId = items[0]?.connectionId ?? "";
  runId = await service.run("vendor-payment", { payee: "Acme GmbH", amount: 4_500_000 });
});

afterAll(async () => {
  await service.stop();
});

/** The first page of a visit. */
const first = 190;

/** The editor of texts such as JSON, loaded where one is shown. */
const code = 125;

/** Kilobytes of scripts, compressed, that a first visit of each page may load. */
const pages: readonly (readonly [path: () => string, kilobytes: number])[] = [
  [() => "sign-in", first],
  [() => "sandbox", first],
  [() => "sandbox/runs", first],
  [() => "sandbox/runs/new?procedure=vendor-payment", first],
  [() => "sandbox/reviews", first],
  [() => "sandbox/procedures", first],
  [() => "sandbox/connections", first],
  [() => "sandbox/connections/new", first + code],
  [() => `sandbox/connections/${connectionId}`, first],
  [() => "sandbox/webhooks", first],
  [() => "sandbox/api-keys", first],
  [() => "sandbox/triggers", first],
  [() => "sandbox/triggers/new?procedure=vendor-payment", first],
  [() => "people", first],
  [() => `sandbox/runs/${runId}`, first + 95],
  [() => `sandbox/runs/${runId}/flowchart`, first + 95],
  [() => "sandbox/procedures/vendor-payment/versions/1", first + 95],
  [() => "sandbox/procedures/vendor-payment/edit", first + 200],
  [() => "sandbox/procedures/vendor-payment/edit?view=json", first + 200 + code],
];

const site = new URL("../../../packages/dashboard/dist/site/", import.meta.url);

/** Bytes as the server sends them. */
function sentBytes(name: string): number {
  const isText = /\.(js|css)$/.test(name);
  return readFileSync(new URL(`assets/${name}${isText ? ".gz" : ""}`, site)).length;
}

test("each page loads no more scripts, styles and fonts than its budget", async () => {
  const loaded: Record<string, string> = {};
  for (const [path, budget] of pages) {
    const page = await openPage(service, path() === "sign-in" ? {} : { person: owner });
    const names = new Set<string>();
    page.on("request", (request) => {
      const name = /\/assets\/([^/?]+)$/.exec(new URL(request.url()).pathname)?.[1];
      if (name !== undefined) names.add(name);
    });
    await page.goto(`/dashboard/${path()}`);
    await settled(page);
    const kilobytes = (ending: string): number =>
      [...names].filter((name) => name.endsWith(ending)).reduce((sum, name) => sum + sentBytes(name), 0) / 1000;
    const [scripts, styles, fonts] = [kilobytes(".js"), kilobytes(".css"), kilobytes(".woff2")];
    expect(scripts).toBeGreaterThan(50);
    if (scripts > budget || styles > 25 || fonts > 75) {
      loaded[path()] = `${scripts} kB of scripts, ${styles} kB of styles, ${fonts} kB of fonts`;
    }
  }
  expect(loaded).toEqual({});
});
