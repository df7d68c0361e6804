import type { Engine } from "@procedo/engine";
import { expect, test } from "vitest";
import { createHttp } from "./create-http.ts";

const engine = {} as Engine;

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

test("an address may have a path, and end in a slash", () => {
  const http = createHttp({ engine, runnerUrl: "https://a.example/runner/", appUrl: "https://a.example/app" });
  expect(http.openApi.servers).toEqual([{ url: "https://a.example/app" }]);
});
