/** `pnpm exports:update`: writes the lists of exported names that the repo checks compare, after an intended change. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { exportedNames, exportsFile } from "./exported-names.ts";
import { libraryPackages, root } from "./workspace.ts";

const folder = join(root, "repo-checks/exports");
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });

const packages = libraryPackages();
const lists = exportedNames(packages);
for (const [index, one] of packages.entries()) writeFileSync(exportsFile(one), lists[index] ?? "");
