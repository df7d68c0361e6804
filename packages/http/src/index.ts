// The interface over an engine
export { createHttp } from "./create-http.ts";
export type { Http, HttpOptions } from "./create-http.ts";
export type { RequestDone } from "./answer-request.ts";
export type { BodyRead, HttpAnswer, HttpRequest } from "./request/http-request.ts";

// Listening
export { serveNode } from "./node/serve-node.ts";
export type { NodeListener, NodeListenerOptions } from "./node/serve-node.ts";

export { nodeHandler } from "./node/node-handler.ts";

// Its description
export { openApiDocument } from "./open-api/document.ts";
export type { OpenApiDocument } from "./open-api/document.ts";
