import process from "node:process";
import manifest from "../../package.json" with { type: "json" };

/** What the service shows of a client: its version, and what it runs on. */
export const userAgent = `procedo-private-connection/${manifest.version} (node ${process.versions.node}; ${process.platform})`;
