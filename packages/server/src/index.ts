// The server
export { startServer } from "./start-server.ts";
export type { RunningServer, ServerOptions } from "./start-server.ts";
export { runUntilStopped } from "./run-until-stopped.ts";

// Its settings
export { readSettings } from "./settings/settings.ts";
export type { LogLevel, Role, Settings } from "./settings/settings.ts";
export type { ModelProvider, ModelSettings, NamedModel, ProcedureModel } from "./settings/model-settings.ts";
export type { OidcSettings } from "./settings/oidc-settings.ts";
export type { Variables } from "./settings/values.ts";
export type { Addresses } from "./settings/addresses.ts";

// Its log
export { createLog } from "./observe/log.ts";
export type { ServerLog } from "./observe/log.ts";

// The procedo command
export { runCommand } from "./command/run-command.ts";
export type { CommandOptions } from "./command/run-command.ts";
export type { TextSink } from "./command/command-context.ts";
export { exitCodes } from "./command/exit-codes.ts";
