// Functions that procedures call
export { defineFunction } from "./functions/define-function.ts";
export type { FunctionOptions } from "./functions/define-function.ts";
export type { PrivateFunction } from "./functions/private-function.ts";
export type { InputOf, InputSchema, ParsedInput } from "./functions/input-schema.ts";
export type { HandlerContext } from "./invocations/handler-context.ts";

// Serving them
export { createPrivateConnection } from "./connection/create-private-connection.ts";
export type { PrivateConnection } from "./connection/create-private-connection.ts";
export type { PrivateConnectionOptions } from "./connection/connection-options.ts";
export type {
  ConnectionEnd,
  ConnectionEvents,
  ConnectionState,
  InvocationEvent,
} from "./connection/connection-state.ts";
export type { Log, LogFields } from "./log.ts";

// Calling them in tests
export { testConnection } from "./test-connection.ts";
export type { Sent, TestCall, TestConnection } from "./test-connection.ts";

// Errors
export { ProcedoError } from "@procedo/contract";
export type { Environment, ErrorCode } from "@procedo/contract";
