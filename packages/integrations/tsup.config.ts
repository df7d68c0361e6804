import { defineConfig } from "tsup";

export default defineConfig({
  entry: {
    index: "src/index.ts",
    "kit/index": "src/kit/index.ts",
    "services/index": "src/services/index.ts",
    "testing/index": "src/testing/index.ts",
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
