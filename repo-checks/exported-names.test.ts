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

test("no list belongs to a removed package", () => {
  expect(readdirSync(join(root, "repo-checks/exports")).sort()).toEqual(
    packages.map((one) => basename(exportsFile(one))).sort(),
  );
});
