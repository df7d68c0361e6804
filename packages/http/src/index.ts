// The interface over an engine
export { createHttp } from "./create-http.ts";
export type { Http, HttpOptions } from "./create-http.ts";
export type { About, Deployment } from "./about.ts";
export type { ApplicationPrincipal, RequestHead } from "./access/application-sign-in.ts";
export type { SignInAccount, SignInFailure, SignInProvider, SignInStart } from "./sign-in-provider.ts";
export type { Site, SiteAnswer, SiteRequest } from "./site.ts";
export type { RequestDone } from "./answer-request.ts";
export type { BodyRead, HttpAnswer, HttpRequest } from "./request/http-request.ts";

// Engine values in the interface's format, for other interfaces to the same engine
export { keyAnswer } from "./operations/api-keys.ts";
export { auditEntry } from "./operations/audit.ts";
export { changesAnswer, connectionAnswer, connectionSummary } from "./operations/connections.ts";
export { authorizationUrls, type AuthorizationUrls } from "./authorization-urls.ts";
export { oauthAnswer } from "./operations/connection-oauth.ts";
export { inboundUrlOf } from "./inbound-url.ts";
export { integrationAnswer } from "./operations/integrations.ts";
export { privateConnectionAnswer } from "./operations/private-connections.ts";
export { pageAnswer } from "./operations/page.ts";
export { personAnswer } from "./operations/people.ts";
export { procedureSummary } from "./operations/procedures.ts";
export { reviewAnswer, reviewSummary } from "./operations/reviews.ts";
export { runSummary } from "./operations/run-answers.ts";
export { firingAnswer, timeAnswer, triggerAnswer } from "./operations/trigger-answers.ts";
export { versionSummary } from "./operations/versions.ts";

// Listening
export { serveNode } from "./node/serve-node.ts";
export type { NodeListener, NodeListenerOptions } from "./node/serve-node.ts";

export { nodeHandler } from "./node/node-handler.ts";
export type { NodeHandler, NodeHandlerOptions } from "./node/node-handler.ts";

// OpenAPI description
export { openApiDocument } from "./open-api/document.ts";
export type { OpenApiDocument } from "./open-api/document.ts";
