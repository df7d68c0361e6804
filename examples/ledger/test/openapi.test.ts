import { expect, test } from "vitest";
import { startLedger } from "../src/index.ts";
import { createRoutes, routeName } from "../src/routes.ts";
import { clientOf } from "./ledger-client.ts";

interface OpenApiDocument {
  readonly openapi: string;
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly responses: Readonly<Record<string, unknown>> }>>>
  >;
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
}

test("the document describes the existing endpoints, under the address that returned it, without operation ids", async () => {
  const ledger = await startLedger();
  const { text, body } = await clientOf(ledger).get("/openapi.json");
  const document = body as unknown as OpenApiDocument;
  expect(document.openapi).toBe("3.0.3");
  expect(document.servers).toEqual([{ url: ledger.url }]);
  expect(text).not.toContain("operationId");
  const described = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ":$1")}`),
  );
  const served = createRoutes(() => ({}))
    .map(routeName)
    .filter((name) => name !== "GET /openapi.json");
  expect(described.toSorted()).toEqual(served.toSorted());
  await ledger.close();
});

test("every reference in the document resolves, and amounts stay integers", async () => {
  const ledger = await startLedger();
  const { text, body } = await clientOf(ledger).get("/openapi.json");
  const document = body as unknown as OpenApiDocument;
  const names = [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map((match) => match[1]);
  expect(new Set(names)).toEqual(new Set(Object.keys(document.components.schemas)));
  expect(document.components.schemas).toMatchObject({ PaymentOrder: { properties: { amount: { type: "integer" } } } });
  expect(text).not.toContain('"type":"number"');
  await ledger.close();
});
