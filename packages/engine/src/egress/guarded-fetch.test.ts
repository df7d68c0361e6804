import { describe, expect, onTestFinished, test } from "vitest";
import { guardedFetch, type GuardedFetchDefaults } from "./guarded-fetch.ts";
import { answering, http, listen } from "./listeners.fixture.ts";
import { createEgress } from "./egress.ts";

function fetchWith(defaults: GuardedFetchDefaults = {}) {
  const egress = createEgress({ allowNetworks: ["127.0.0.1"] });
  onTestFinished(() => egress.close());
  return guardedFetch(egress, defaults);
}

const json = answering(http("200 OK", ["content-type: application/json"], '{"a":1}'));

test("answers a web Response with its URL", async () => {
  const { port } = await listen(json);
  const response = await fetchWith()(`http://127.0.0.1:${port}/x`);
  expect([response.ok, response.url, await response.json()]).toEqual([true, `http://127.0.0.1:${port}/x`, { a: 1 }]);
});

test("accepts the arguments of fetch: strings, URLs, Requests, and bodies of all kinds", async () => {
  const server = await listen(json);
  const url = `http://127.0.0.1:${server.port}/`;
  const fetch = fetchWith();
  await fetch(new URL(url), { method: "POST", body: new URLSearchParams({ a: "b c" }) });
  await fetch(new Request(url, { method: "PUT", body: "from-request", headers: { "x-key": "k" } }));
  const form = new FormData();
  form.set("field", "from-form");
  await fetch(url, { method: "POST", body: form });
  await fetch(url, { headers: [["X-List", "1"]] });
  const received = server.received();
  expect(received).toMatch(/^POST \/ .*content-type: application\/x-www-form-urlencoded.*\r\n\r\na=b\+c/s);
  expect(received).toMatch(/PUT \/ .*x-key: k.*from-request/s);
  expect(received).toMatch(/multipart\/form-data; boundary=.*name="field"\r\n\r\nfrom-form/s);
  expect(received).toMatch(/GET \/ .*x-list: 1/s);
});

test.each([204, 304])("a %d has no body", async (status) => {
  const { port } = await listen(answering(`HTTP/1.1 ${status} X\r\n\r\n`));
  const response = await fetchWith()(`http://127.0.0.1:${port}/`);
  expect([response.status, response.body]).toEqual([status, null]);
});

describe("the JSON of an answer", () => {
  const answerTo = async (body: string) => {
    const { port } = await listen(answering(http("200 OK", ["content-type: application/json"], body)));
    return await fetchWith()(`http://127.0.0.1:${port}/secret-path`);
  };

  test("keeps every digit: a number that a double would change is returned as a string", async () => {
    const response = await answerTo(
      '{"id":9007199254740993,"rate":0.1000000000000000055,"huge":[1e400],"usual":[1,0.1,-2e3,"9007199254740993"]}',
    );
    expect(await response.json()).toEqual({
      id: "9007199254740993",
      rate: "0.1000000000000000055",
      huge: ["1e400"],
      usual: [1, 0.1, -2000, "9007199254740993"],
    });
  });

  test("is the same from a clone, and read once", async () => {
    const response = await answerTo("[9007199254740993]");
    const clone = response.clone();
    expect(clone.url).toBe(response.url);
    expect([await clone.json(), await response.json()]).toEqual([["9007199254740993"], ["9007199254740993"]]);
    await expect(response.json()).rejects.toThrow(TypeError);
    expect(response.bodyUsed).toBe(true);
  });

  test("is unchanged when it is read as text", async () => {
    expect(await (await answerTo("[9007199254740993]")).text()).toBe("[9007199254740993]");
  });

  test.each(["", "canary", '{"a":"canary', "[9007199254740993,canary]"])(
    "is not quoted when it is invalid (%j)",
    async (body) => {
      const response = await answerTo(body);
      const error: unknown = await response.json().catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(SyntaxError);
      expect(String(error)).toMatch(/^SyntaxError: The answer is not valid JSON/);
      expect(String(error)).not.toContain("canary");
    },
  );

  test("nests 512 levels and no more, with and without numbers to keep", async () => {
    const nested = (levels: number, inside: string) => "[".repeat(levels) + inside + "]".repeat(levels);
    for (const inside of ["", "9007199254740993"]) {
      expect(JSON.stringify(await (await answerTo(nested(512, inside))).json())).toContain(inside);
      for (const levels of [513, 200_000]) {
        const refused = (await answerTo(nested(levels, inside))).json();
        const error = { failure: "response", sent: "maybe", responseStatus: 200 };
        await expect(refused).rejects.toThrow(expect.objectContaining(error));
      }
    }
  });
});

describe("the guard holds", () => {
  test.each([
    "http://127.0.0.2:PORT/",
    "http://u:p@127.0.0.1:PORT/",
    "http://127.0.0.1:PORT/\r\nx",
    "http:\\\\127.0.0.1:PORT/",
    "file:///etc/passwd",
    "/relative",
  ])("for %j", async (url) => {
    const server = await listen(json);
    const refused = fetchWith()(url.replace("PORT", String(server.port)));
    await expect(refused).rejects.toThrow(expect.objectContaining({ code: "destination_not_allowed", sent: "no" }));
    expect(server.arrivals).toEqual([]);
  });

  test("omits framing headers of the caller and sends the client's own", async () => {
    const server = await listen(json);
    const headers = { host: "evil.test", "content-length": "0", "transfer-encoding": "chunked", "x-key": "k" };
    await fetchWith()(`http://127.0.0.1:${server.port}/`, { method: "POST", body: "abc", headers });
    expect(server.received()).toContain(`host: 127.0.0.1:${server.port}\r\n`);
    expect(server.received()).toContain("content-length: 3\r\n");
    expect(server.received()).not.toMatch(/evil|transfer-encoding/);
  });
});

describe("redirects", () => {
  const redirecting = answering((head) =>
    head.startsWith("GET /to ") ? http("200 OK", []) : http("302 X", ["location: /to"]),
  );

  test("are followed only as far as the defaults allow", async () => {
    const { port } = await listen(redirecting);
    const url = `http://127.0.0.1:${port}/from`;
    expect((await fetchWith()(url)).status).toBe(302);
    expect((await fetchWith({ redirects: 1 })(url)).url).toBe(`http://127.0.0.1:${port}/to`);
    expect((await fetchWith({ redirects: 1 })(url, { redirect: "manual" })).status).toBe(302);
  });

  test("are an error where the request does not accept them", async () => {
    const { port } = await listen(redirecting);
    const refused = fetchWith({ redirects: 1 })(`http://127.0.0.1:${port}/from`, { redirect: "error" });
    await expect(refused).rejects.toThrow(expect.objectContaining({ sent: "maybe", responseStatus: 302 }));
  });
});

test("either signal ends the request, and beforeSend can withhold it", async () => {
  const { port } = await listen(json);
  const url = `http://127.0.0.1:${port}/`;
  const aborted = expect.objectContaining({ failure: "aborted", sent: "no" });
  await expect(fetchWith({ signal: AbortSignal.abort() })(url)).rejects.toThrow(aborted);
  await expect(fetchWith()(url, { signal: AbortSignal.abort() })).rejects.toThrow(aborted);
  const withheld = expect.objectContaining({ failure: "withheld", sent: "no" });
  await expect(fetchWith({ beforeSend: () => "sendBy has passed" })(url)).rejects.toThrow(withheld);
});
