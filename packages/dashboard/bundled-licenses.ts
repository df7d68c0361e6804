import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";

/** The packages in worker threads and style sheets, whose licenses Vite does not collect. */
const others = [
  "@dagrejs/dagre",
  "@fontsource-variable/geist-mono",
  "@fontsource-variable/inter",
  "tailwindcss",
] as const;

/** Adds the licenses of the packages that Vite does not see to the file of licenses that it writes. */
export function bundledLicenses(fileName: string): Plugin {
  let file = "";
  let root = "";
  return {
    name: "bundled-licenses",
    apply: "build",
    configResolved: (config) => {
      root = config.root;
      file = join(root, config.build.outDir, fileName);
    },
    closeBundle: () => {
      for (const name of others) {
        const folder = join(root, "node_modules", name);
        const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
          readonly version: string;
          readonly license: string;
        };
        const text = readFileSync(join(folder, "LICENSE"), "utf8");
        appendFileSync(file, `\n## ${name} - ${version} (${license})\n\n${text}`);
      }
    },
  };
}
