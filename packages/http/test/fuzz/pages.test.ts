import { cases } from "@procedo-testing/tiers";
import fc from "fast-check";
import { expect, test } from "vitest";
import { operations } from "../../src/operations/operations.ts";
import { createHarness, origin } from "../harness.ts";
import { anyText } from "./arbitraries.ts";

const pages = operations.filter(({ access }) => access === "page");
const names = fc.oneof(fc.constantFrom("state", "code", "iss", "error", "__proto__", "environment"), anyText);
const query = fc.array(fc.tuple(names, anyText), { maxLength: 6 });
/** Any text that a header may carry. */
const headerValue = fc.string({ unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)) });
const cookie = fc.oneof(
  headerValue,
  headerValue.map((value) => `procedo-oauth-=${value}; procedo-oauth-=${value}`),
);

test("the pages of an authorization are all opened by browsers", () => {
  expect(pages.map(({ id }) => id)).toEqual(["openAuthorization", "finishAuthorization"]);
});

test.each(pages.map(({ id, path }) => [id, path] as const))(
  "%s answers every query, path and cookie of a stranger with a page that says why",
  async (_id, path) => {
    const harness = await createHarness();
    await fc.assert(
      fc.asyncProperty(query, anyText, cookie, async (parameters, ticket, sent) => {
        const text = new URLSearchParams(parameters.map(([name, value]) => [name, value])).toString();
        const segment = encodeURIComponent(ticket.toWellFormed());
        const url = `${origin}${path.replace(":ticket", `oat_${segment}`)}?${text}`;
        const page = await harness.http.fetch(new Request(url, { headers: { cookie: sent } }));
        expect([400, 410]).toContain(page.status);
        expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
        expect(await page.text()).toContain("<h1>Authorization failed</h1>");
      }),
      { numRuns: cases({ commit: 100, nightly: 20_000, release: 20_000 }) },
    );
    expect(harness.logged).toEqual([]);
  },
);
