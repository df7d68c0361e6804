import { serveNode, type Site, type SiteRequest } from "@procedo/http";
import { describe, expect, onTestFinished, test } from "vitest";
import { createHarness, origin } from "./harness.ts";

/** A site that keeps what it was asked for, and answers with a file of three bytes. */
function createSite(): { readonly site: Site; readonly asked: readonly SiteRequest[] } {
  const asked: SiteRequest[] = [];
  const site: Site = {
    answer: (request) => {
      asked.push(request);
      return { status: 200, headers: { "Content-Type": "text/css", ETag: '"1"' }, body: new Uint8Array([97, 255, 98]) };
    },
  };
  return { site, asked };
}

describe("a site", () => {
  test("answers each path under /dashboard, and no other one", async () => {
    const { site, asked } = createSite();
    const { http } = await createHarness({ site });
    const paths = ["/dashboard", "/dashboard/", "/dashboard/live/runs", "/dashboards", "/api/v1/runs", "/Dashboard"];
    const statuses: number[] = [];
    for (const path of paths) statuses.push((await http.fetch(new Request(origin + path))).status);
    expect(statuses).toEqual([200, 200, 200, 404, 401, 404]);
    expect(asked.map(({ path }) => path)).toEqual(["", "/", "/live/runs"]);
    expect(paths.map((path) => http.serves(path))).toEqual([true, true, true, false, true, false]);
  });

  test("is told its address under a base path, and the headers that decide its answer", async () => {
    const { site, asked } = createSite();
    const { http } = await createHarness({ site, basePath: "/procedo" });
    const headers = { "accept-encoding": "gzip", "if-none-match": '"1"' };
    await http.fetch(new Request(`${origin}/procedo/dashboard/sandbox?a=b`, { headers }));
    expect((await http.fetch(new Request(`${origin}/dashboard`))).status).toBe(404);
    const address = "/procedo/dashboard";
    expect(asked).toEqual([{ path: "/sandbox", address, acceptEncoding: "gzip", ifNoneMatch: '"1"' }]);
  });

  test("is only read: another method is refused with the methods that are allowed", async () => {
    const { site, asked } = createSite();
    const { http } = await createHarness({ site });
    for (const method of ["POST", "PUT", "DELETE", "OPTIONS"]) {
      const answer = await http.fetch(new Request(`${origin}/dashboard/sandbox`, { method }));
      expect([method, answer.status, answer.headers.get("allow")]).toEqual([method, 405, "GET, HEAD"]);
    }
    expect(asked).toEqual([]);
  });

  test("needs no key, and its bytes arrive unchanged over TCP, without a body for HEAD", async () => {
    const { site } = createSite();
    const { http } = await createHarness({ site });
    const { port, close } = await serveNode(http, { port: 0 });
    onTestFinished(() => close({ drainMs: 0 }));
    const address = `http://127.0.0.1:${port}/dashboard/assets/a.css`;
    const answer = await fetch(address);
    expect([...new Uint8Array(await answer.arrayBuffer())]).toEqual([97, 255, 98]);
    expect(answer.headers.get("content-type")).toBe("text/css");
    expect(answer.headers.get("x-request-id")).toMatch(/^req_/);
    const head = await fetch(address, { method: "HEAD" });
    expect([head.status, head.headers.get("content-length"), await head.text()]).toEqual([200, "3", ""]);
  });

  test("without the option, the address is unknown", async () => {
    const { http } = await createHarness();
    expect((await http.fetch(new Request(`${origin}/dashboard`))).status).toBe(404);
  });
});
