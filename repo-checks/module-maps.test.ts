import { expect, test } from "vitest";
import { engineRoot } from "./module-arrows.ts";
import { mapFaults } from "./module-maps.ts";
import { sourceFiles } from "./source-files.ts";

test("the map of each module of the engine names all of its files, and no other ones", () => {
  expect(mapFaults(sourceFiles([engineRoot.slice(0, -1)]), engineRoot)).toEqual([]);
});

test("a missing map, an unlisted file and a name without a file are reported", () => {
  const texts = {
    "a/one.ts": "/*\n * Ones.\n *\n *   two.ts  twos; three.ts: threes\n */\n",
    "a/two.ts": "",
    "a/part/four.ts": "",
    "a/two.test.ts": "",
    "b/five.ts": "/* Mentions one.ts. */\n",
    "b/six.ts": "",
    "c/alone.ts": "",
    "beside.ts": "",
  };
  const files = Object.entries(texts).map(([path, text]) => ({ path: `e/${path}`, text }));
  expect(mapFaults(files, "e/")).toEqual([
    "e/a/part/four.ts is not in the map of e/a/.",
    "e/a/one.ts names three.ts, which does not exist.",
    "e/b/ has no map of its files.",
  ]);
});
