import type { Engine } from "@procedo/engine";
import { expect, test } from "vitest";
import { createHttp } from "./create-http.ts";
import { serveNode } from "./node/serve-node.ts";

const engine = { runs: {} } as Engine;

test.each(["", "procedo.example", "ftp://procedo.example", "https://procedo.example?x=1", "https://procedo.example#x"])(
  "the address %j is refused with the option's name",
  (address) => {
    const fine = "https://procedo.example";
    for (const [option, addresses] of [
      ["runnerUrl", { runnerUrl: address, appUrl: fine }],
      ["appUrl", { runnerUrl: fine, appUrl: address }],
    ] as const) {
      const refused = { code: "invalid_configuration", message: expect.stringContaining(option) as string };
      expect(() => createHttp({ engine, ...addresses })).toThrow(expect.objectContaining(refused));
    }
  },
);

test("accepts an address with a path and a trailing slash", () => {
  const http = createHttp({ engine, runnerUrl: "https://a.example/runner/", appUrl: "https://a.example/app" });
  expect(http.openApi.servers).toEqual([{ url: "https://a.example/app" }]);
});

test.each([
  [{ runnerURL: "https://a.example" }, 'createHttp has no option "runnerURL"; did you mean "runnerUrl"?'],
  [{ requestPerSecond: 5 }, 'createHttp has no option "requestPerSecond"; did you mean "requestsPerSecond"?'],
  [{ runnerUrl: 10n }, /^The option runnerUrl is 10\. Give an http or https address/],
  [{ requestsPerSecond: "5" }, 'The option requestsPerSecond is "5". Give at least 1, or leave it out.'],
  [{ ready: true }, "The option ready is a boolean. Give a function."],
  [{ log: {} }, "The option log.info is undefined. Give a function."],
  [{ random: Math }, "The option random.bytes is undefined. Give a function."],
  [{ engine: undefined }, "The option engine is undefined. Give the result of createEngine."],
  [{ engine: Promise.resolve(engine) }, /^The option engine is a promise, which has to be awaited first/],
])("createHttp rejects %o with an explanation", (wrong, message) => {
  const options = { engine, runnerUrl: "https://a.example", appUrl: "https://a.example", ...wrong };
  const said = typeof message === "string" ? message : (expect.stringMatching(message) as string);
  expect(() => createHttp(options as never)).toThrow(
    expect.objectContaining({ code: "invalid_configuration", message: said }),
  );
});

test.each([
  [{ port: 0, hots: "::1" }, /^serveNode has no option "hots"; did you mean "host"\?/],
  [{ port: "8787" }, /^The option port is a string\. Give 0 to 65535\./],
  [{ port: 0, host: 5 }, /^The option host is a number\./],
  [{ port: 0, maxConnections: 0 }, /^The option maxConnections is 0\. Give a whole number of at least 1\./],
  [{ port: 0, beside: { metrics: {} } }, /^The option beside has an object for "metrics"\. Give a function/],
  [{}, /^The option port is undefined/],
  [8787, /^serveNode takes an object with options\. It was given a number\./],
])("serveNode rejects %o with an explanation", async (options, message) => {
  const handler = { answer: async () => Promise.resolve(undefined) };
  await expect(serveNode(handler, options as never)).rejects.toMatchObject({
    code: "invalid_configuration",
    message: expect.stringMatching(message) as string,
  });
});
