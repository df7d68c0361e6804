// The scanner of JSON texts, without the rest of the package: the importer of documents runs in its own thread.
export { scanJson } from "./json/scan-json.ts";
export type { JsonEvents, JsonPath, SyntaxFault } from "./json/scan-json.ts";
