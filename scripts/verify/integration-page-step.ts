import { checkConsumer } from "./consumer-project.ts";
import { filesOfPage } from "./page-files.ts";
import type { Step } from "./steps.ts";

/**
 * Builds the integration of docs/building-an-integration.md in an empty folder with the packages as installed: its test
 * runs, and a run pays through it at a bank on loopback.
 */
export const integrationPage: Step = {
  name: "consumer: the files of docs/building-an-integration.md",
  needs: "build",
  run: () =>
    checkConsumer({
      packages: ["@procedo/engine", "@procedo/integrations", "@procedo/storage"],
      files: { ...filesOfPage("docs/building-an-integration.md"), "src/check.ts": check },
      main: "src/check.ts",
    }),
};

const check = `import { deepStrictEqual } from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import "./bank.test.ts";
import { payOnce } from "./main.ts";

const keys = new Set<string>();
const server = createServer((request, response) => {
  keys.add(String(request.headers["idempotency-key"]));
  response.writeHead(201, { "content-type": "application/json" }).end('{"id":"pay_1","status":"pending","cents":125000}');
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
try {
  const output = await payOnce("http://127.0.0.1:" + (server.address() as AddressInfo).port);
  deepStrictEqual(output, { payment: { id: "pay_1", status: "pending", cents: 125_000 } });
  deepStrictEqual(keys.size, 1);
} finally {
  server.close();
  server.closeAllConnections();
}
`;
