// The header rules, without the rest of the package: the importer of OpenAPI documents runs in its own thread.
export { isFramingHeader, isHeaderValue, isHttpToken } from "./http-headers.ts";
