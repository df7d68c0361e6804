/** `pnpm docs`: writes the API reference of the published packages to `reports/reference`. */
import { globSync } from "node:fs";
import { readReference, referenceFolder } from "./reference.ts";

const { application, project, warnings } = await readReference();
await application.generateDocs(project, referenceFolder);
for (const warning of warnings) process.stderr.write(`${warning}\n`);
const pages = globSync("**/*.html", { cwd: referenceFolder }).length;
process.stdout.write(`${pages} pages in ${referenceFolder}\n`);
