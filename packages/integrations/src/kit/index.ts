// Integrations of services with an HTTP interface
export { createService } from "./service.ts";
export type { ListOutput, Service, ServiceAction, ServiceList } from "./service.ts";
export type {
  ServiceConnection,
  ServiceHeaders,
  ServiceHttp,
  ServiceIdempotency,
  ServiceRefusal,
  ServiceReply,
} from "./service-http.ts";
export type { ServiceFields, ServiceRequest, ServiceValue } from "./service-request.ts";
export type { ServiceContext } from "./ask-service.ts";
export { refusalMessage } from "./refusal-message.ts";
export type { EarlierResult } from "./earlier-result.ts";
export type { ReadPages, ServicePages } from "./read-pages.ts";

// Requests of other services
export { isForm, signedForm } from "./signed-form.ts";
