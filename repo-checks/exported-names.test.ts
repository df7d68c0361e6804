import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { exportedNames, exportsFile } from "../scripts/exported-names.ts";
import { libraryPackages, root } from "../scripts/workspace.ts";

const packages = libraryPackages();
const lists = exportedNames(packages);

test.each(packages.map((one, index) => [one.manifest.name, one, lists[index]] as const))(
  "%s exports exactly the recorded names (pnpm exports:update after an intended change)",
  (_name, one, actual) => {
    const file = exportsFile(one);
    expect(actual).toBe(existsSync(file) ? readFileSync(file, "utf8") : `no ${basename(file)}`);
  },
);

test("each name is exported by one entry point; /web has the names of webhooks for other runtimes", () => {
  const repeated = packages.flatMap((one, index) => {
    if (one.manifest.name === "@procedo/webhooks") return [];
    const names = [...(lists[index] ?? "").matchAll(/^ .* (\S+)$/gm)].map(([, name = ""]) => name);
    return names
      .filter((name, at) => names.indexOf(name) !== at)
      .map((name) => `${one.manifest.name} exports ${name} in two ways`);
  });
  expect(repeated).toEqual([]);
});

test("no list belongs to a removed package", () => {
  expect(readdirSync(join(root, "repo-checks/exports")).sort()).toEqual(
    packages.map((one) => basename(exportsFile(one))).sort(),
  );
});
