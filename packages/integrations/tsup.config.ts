import { defineConfig } from "tsup";

export default defineConfig({
  entry: {
    index: "src/index.ts",
    "openapi/index": "src/openapi/index.ts",
    // Beside the file that starts it.
    "document-worker": "src/custom-api/document-worker.ts",
  },
  format: "esm",
  target: "node22",
  dts: true,
  sourcemap: true,
  clean: true,
  removeNodeProtocol: false,
});
