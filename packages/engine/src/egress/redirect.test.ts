import { describe, expect, test } from "vitest";
import { nextHop, type Hop } from "./redirect.ts";

const hop = (more: Partial<Hop> = {}): Hop => ({
  url: new URL("https://api.test/a/b?c=d"),
  method: "GET",
  headers: { authorization: "x", "x-key": "k", accept: "a", "content-type": "t" },
  body: undefined,
  ...more,
});

test.each([200, 201, 300, 304, 305, 306, 400])("a %d is no redirect, even with a Location", (status) => {
  expect(nextHop(hop(), status, "/x")).toEqual({ kind: "none" });
});

test("a response without a Location is not a redirect", () => {
  expect(nextHop(hop(), 302, null)).toEqual({ kind: "none" });
});

test.each([
  ["/x", "https://api.test/x"],
  ["x", "https://api.test/a/x"],
  ["?y", "https://api.test/a/b?y"],
  ["//other.test/x", "https://other.test/x"],
])("Location %s leads to %s", (location, href) => {
  expect(nextHop(hop(), 302, location)).toMatchObject({ kind: "follow", hop: { url: new URL(href) } });
});

describe("the method and body of a redirected request", () => {
  test.each([
    [301, "POST", "GET", undefined],
    [302, "POST", "GET", undefined],
    [303, "POST", "GET", undefined],
    [303, "PUT", "GET", undefined],
    [303, "HEAD", "HEAD", "b"],
    [301, "PUT", "PUT", "b"],
    [302, "DELETE", "DELETE", "b"],
    [307, "POST", "POST", "b"],
    [308, "POST", "POST", "b"],
  ])("%d of a %s is a %s", (status, method, next, body) => {
    expect(nextHop(hop({ method, body: "b" }), status, "/x")).toMatchObject({
      kind: "follow",
      hop: { method: next, body },
    });
  });

  test("headers about the body are dropped with it", () => {
    const next = nextHop(hop({ method: "POST", body: "b" }), 303, "/x");
    expect(next).toMatchObject({ hop: { headers: { authorization: "x", "x-key": "k", accept: "a" } } });
    expect(next).not.toHaveProperty("hop.headers.content-type");
  });
});

describe("another origin", () => {
  test.each(["https://other.test/", "https://api.test:8443/", "https://sub.api.test/"])(
    "%s gets no credentials",
    (location) => {
      expect(nextHop(hop(), 302, location)).toMatchObject({ hop: { headers: { accept: "a", "content-type": "t" } } });
      expect(nextHop(hop(), 302, location)).not.toHaveProperty("hop.headers.authorization");
      expect(nextHop(hop(), 302, location)).not.toHaveProperty("hop.headers.x-key");
    },
  );

  test.each([307, 308])("never gets the body of a %d", (status) => {
    expect(nextHop(hop({ method: "POST", body: "b" }), status, "https://other.test/")).toMatchObject({
      kind: "refused",
    });
  });
});

test.each(["http://api.test/", "file:///etc/passwd", "http://[", "data:,x"])("https to %s is refused", (location) => {
  expect(nextHop(hop(), 302, location)).toMatchObject({ kind: "refused" });
});
