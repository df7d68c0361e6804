import { dashboardSite } from "@procedo/dashboard";
import { startService } from "@procedo-testing/dashboard";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test } from "vitest";

const site = dashboardSite();
const request = { address: "/dashboard", acceptEncoding: undefined, ifNoneMatch: undefined };
const html = (path: string, address = "/dashboard"): string =>
  new TextDecoder().decode(site.answer({ ...request, path, address }).body);
const assets = [...html("").matchAll(/(?:src|href)="\.(\/assets\/[^"]+)"/g)].map(([, path = ""]) => path);

describe("the page", () => {
  test("is the answer for each address, is not kept, and forbids code and connections of others", () => {
    const { status, headers } = site.answer({ ...request, path: "/live/runs/run_1" });
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      "Content-Type": "text/html; charset=utf-8",
      "Cache-Control": "no-cache",
      "Cross-Origin-Opener-Policy": "same-origin",
      "Referrer-Policy": "no-referrer",
      "X-Content-Type-Options": "nosniff",
    });
    const policy = headers["Content-Security-Policy"] ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("style-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(policy).not.toMatch(/unsafe|https?:|\*|nonce|sha256/);
  });

  test("resolves its files from the address under which it is served", () => {
    expect(html("/live", "/procedo/dashboard")).toContain('<base href="/procedo/dashboard/"');
    expect(html("/live", "/$&/dashboard")).toContain('<base href="/$&/dashboard/"');
  });

  test("is answered with 304 to a browser that has it, but not under another address", () => {
    const etag = site.answer({ ...request, path: "" }).headers["ETag"];
    expect(site.answer({ ...request, path: "/people", ifNoneMatch: etag })).toMatchObject({ status: 304 });
    expect(site.answer({ ...request, path: "", address: "/a/dashboard", ifNoneMatch: etag }).status).toBe(200);
  });
});

describe("a file", () => {
  test("is kept for a year under a name that contains its hash, and is compressed for browsers that ask for it", () => {
    expect(assets.length).toBeGreaterThan(1);
    for (const path of assets) {
      const plain = site.answer({ ...request, path });
      expect(plain.headers["Cache-Control"]).toBe("public, max-age=31536000, immutable");
      const small = site.answer({ ...request, path, acceptEncoding: "br, gzip" });
      expect(small.headers).toMatchObject({ "Content-Encoding": "gzip", Vary: "Accept-Encoding" });
      expect(Buffer.from(gunzipSync(small.body)).equals(Buffer.from(plain.body))).toBe(true);
    }
  });

  test("that does not exist is answered with 404, also by a path that leaves the folder", () => {
    for (const path of ["/assets/none.js", "/assets/../../package.json", "/assets/%2e%2e/index.html"]) {
      const { status, headers } = site.answer({ ...request, path });
      expect([path, status, headers["Cache-Control"]]).toEqual([path, 404, "no-store"]);
    }
  });
});

test("the package contains the license of each package that it bundles", () => {
  const text = readFileSync(fileURLToPath(import.meta.resolve("@procedo/dashboard/package.json")), "utf8");
  const { devDependencies } = JSON.parse(text) as { readonly devDependencies: Readonly<Record<string, string>> };
  const buildOnly = /^(@procedo\/|@types\/|@vitejs\/|@tailwindcss\/vite$|vite$)/;
  const bundled = Object.keys(devDependencies).filter((name) => !buildOnly.test(name));
  const licenses = readFileSync(
    new URL("dist/site/licenses.md", import.meta.resolve("@procedo/dashboard/package.json")),
  );
  expect(bundled.length).toBeGreaterThan(8);
  expect(bundled.filter((name) => !licenses.includes(`\n## ${name} - `))).toEqual([]);
});

test("the server serves the dashboard under its address", async () => {
  const service = await startService();
  onTestFinished(() => service.stop());
  const answer = await fetch(`${service.url}/dashboard/sandbox`);
  expect([answer.status, answer.headers.get("content-security-policy")]).toEqual([
    200,
    expect.stringContaining("default-src 'none'"),
  ]);
  const file = await fetch(`${service.url}/dashboard${assets[0] ?? ""}`);
  expect([file.status, file.headers.get("content-encoding")]).toEqual([200, "gzip"]);
});
