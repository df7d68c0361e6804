import process from "node:process";
import manifest from "../../package.json" with { type: "json" };

/** The client's version and platform, which the service shows. */
export const userAgent = `procedo-private-connection/${manifest.version} (node ${process.versions.node}; ${process.platform})`;
