/** The packages with Node's binaries write `os` and `cpu` as strings, which pnpm ignores: it would install every platform's binary. */
const nodeBinary = /^node-(bin-)?(darwin|linux|win)-/;

export const hooks = {
  readPackage(manifest) {
    if (!nodeBinary.test(manifest.name)) return manifest;
    return { ...manifest, os: [manifest.os].flat(), cpu: [manifest.cpu].flat() };
  },
};
