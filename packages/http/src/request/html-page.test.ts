import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { htmlPage, styleDigest } from "./html-page.ts";

test("the policy of a page allows its own style, and nothing else", () => {
  const { body, headers } = htmlPage({ title: "Done", text: "The connection is authorized." });
  const [, style = ""] = /<style>(.*)<\/style>/.exec(body) ?? [];
  expect(styleDigest).toBe(`sha256-${createHash("sha256").update(style).digest("base64")}`);
  expect(headers).toContain(
    `default-src 'none'; style-src '${styleDigest}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  );
});

test("a page shows its texts, and no markup in them", () => {
  const hostile = `<script>alert("1")</script>&'`;
  const { body } = htmlPage({ title: hostile, text: hostile, small: hostile });
  const shown = "&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;&#39;";
  expect(body.split(shown)).toHaveLength(5);
  expect(body).not.toContain("<script");
});
