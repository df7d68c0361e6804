import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { bundledLicenses } from "./bundled-licenses.ts";
import { compressed } from "./compressed-files.ts";

const licenses = "licenses.md";

export default defineConfig({
  // Relative, because the server decides under which address the dashboard lies.
  base: "./",
  plugins: [react(), tailwindcss(), compressed(), bundledLicenses(licenses)],
  resolve: { conditions: ["@procedo/source", "module", "browser"] },
  build: {
    outDir: "dist/site",
    target: "es2024",
    // A data: address would need a wider content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    license: { fileName: licenses },
  },
  worker: { format: "es" },
});
