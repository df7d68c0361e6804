// Custom API: the actions of an OpenAPI document
export { customApi } from "./custom-api/custom-api.ts";

// Fetching a document's text
export { fetchDocument } from "./custom-api/fetch-document.ts";
export type { FetchedDocument } from "./custom-api/fetch-document.ts";
