import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { exportedNames, exportsFile } from "../scripts/exported-names.ts";
import { libraryPackages, root } from "../scripts/workspace.ts";

const packages = libraryPackages();
const lists = exportedNames(packages);

test.each(packages.map((one, index) => [one.manifest.name, one, lists[index]] as const))(
  "%s exports exactly the names that are written down (pnpm exports:update after a change on purpose)",
  (_name, one, actual) => {
    const file = exportsFile(one);
    expect(actual).toBe(existsSync(file) ? readFileSync(file, "utf8") : `no ${basename(file)}`);
  },
);

test("there is no list of a package that is gone", () => {
  expect(readdirSync(join(root, "repo-checks/exports")).sort()).toEqual(
    packages.map((one) => basename(exportsFile(one))).sort(),
  );
});
