import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const folder = import.meta.dirname;
const sources = readdirSync(folder).filter((name) => /^(?!.*\.test\.).*\.ts$/.test(name));

test("no statement is recompiled for each value of its limit", () => {
  expect(sources.length).toBeGreaterThan(20);
  for (const name of sources) {
    const text = readFileSync(path.join(folder, name), "utf8");
    expect(text.match(/(LIMIT|OFFSET) \?/g), `${name}: write LIMIT +?`).toBeNull();
  }
});
