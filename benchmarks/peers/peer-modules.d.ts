/**
 * The parts of the peers that the benchmark calls, so that it type-checks without them. They are installed by `npm ci`
 * in this folder, only on purpose.
 */
declare module "@langchain/langgraph" {
  export const START: "__start__";
  export const END: "__end__";
  /** A channel that stores its last value. */
  export function Annotation<Value>(): Channel<Value>;
  export namespace Annotation {
    function Root<Channels extends Record<string, Channel<unknown>>>(channels: Channels): StateSchema<Channels>;
  }
  interface Channel<Value> {
    readonly value: Value;
  }
  interface StateSchema<Channels> {
    readonly State: { readonly [Name in keyof Channels]: Channels[Name] extends Channel<infer Value> ? Value : never };
  }
  export class StateGraph<State> {
    constructor(schema: { readonly State: State });
    addNode(name: string, node: (state: State) => Promise<Partial<State>>): this;
    addEdge(from: string, to: string): this;
    addConditionalEdges(from: string, choose: (state: State) => string, targets: readonly string[]): this;
    compile(options: { readonly checkpointer: object }): Graph<State>;
  }
  export interface Graph<State> {
    invoke(
      input: Partial<State> | Command,
      config: {
        readonly configurable: { readonly thread_id: string };
        /** The time at which a checkpoint is written: `sync` before the next node starts, `async` in the meantime. */
        readonly durability: "sync" | "async";
      },
    ): Promise<State>;
  }
  export function interrupt(value: unknown): unknown;
  export class Command {
    constructor(options: { readonly resume: unknown });
  }
}

declare module "@langchain/langgraph-checkpoint-sqlite" {
  import type BetterSqlite from "better-sqlite3";
  export class SqliteSaver {
    constructor(database: BetterSqlite);
  }
}

declare module "better-sqlite3" {
  export default class Database {
    constructor(file: string);
    pragma(text: string, options?: { readonly simple: boolean }): unknown;
    close(): void;
  }
}

declare module "@langchain/langgraph-checkpoint-postgres" {
  export class PostgresSaver {
    static fromConnString(url: string): PostgresSaver;
    setup(): Promise<void>;
    end(): Promise<void>;
  }
}

declare module "@mastra/core" {
  import type { Workflow } from "@mastra/core/workflows";
  export class Mastra {
    constructor(options: {
      readonly storage: object;
      readonly workflows: Record<string, Workflow>;
      readonly logger: false;
    });
    getWorkflow(name: string): Workflow;
  }
}

declare module "@mastra/core/workflows" {
  export interface Step {
    readonly id: string;
  }
  export function createStep(options: {
    readonly id: string;
    readonly inputSchema: object;
    readonly outputSchema: object;
    readonly resumeSchema?: object;
    readonly execute: (context: {
      readonly inputData: unknown;
      readonly resumeData?: unknown;
      readonly suspend: (payload: unknown) => Promise<unknown>;
      readonly getInitData: () => unknown;
    }) => Promise<unknown>;
  }): Step;
  export interface Workflow {
    then(step: Step): Workflow;
    branch(
      branches: readonly (readonly [(context: { readonly getInitData: () => unknown }) => Promise<boolean>, Step])[],
    ): Workflow;
    commit(): Workflow;
    createRun(options?: { readonly runId: string }): Promise<WorkflowRun>;
  }
  export interface WorkflowRun {
    readonly runId: string;
    start(options: { readonly inputData: unknown }): Promise<WorkflowResult>;
    resume(options: { readonly step: string; readonly resumeData: unknown }): Promise<WorkflowResult>;
  }
  export interface WorkflowResult {
    readonly status: string;
    readonly result?: unknown;
    readonly error?: unknown;
  }
  export function createWorkflow(options: {
    readonly id: string;
    readonly inputSchema: object;
    readonly outputSchema: object;
  }): Workflow;
}

declare module "@mastra/libsql" {
  export class LibSQLStore {
    constructor(options: { readonly id: string; readonly url: string });
    init(): Promise<void>;
    close(): Promise<void>;
  }
}

declare module "@mastra/pg" {
  export class PostgresStore {
    constructor(options: { readonly id: string; readonly connectionString: string });
    init(): Promise<void>;
    close(): Promise<void>;
  }
}

declare module "@dbos-inc/dbos-sdk" {
  export interface WorkflowHandle<Result> {
    getResult(): Promise<Result>;
  }
  export const DBOS: {
    readonly workflowID: string | undefined;
    setConfig(config: { readonly name: string; readonly systemDatabaseUrl: string; readonly logLevel: string }): void;
    launch(): Promise<void>;
    shutdown(): Promise<void>;
    registerWorkflow<Args extends unknown[], Result>(
      workflow: (...args: Args) => Promise<Result>,
      options: { readonly name: string },
    ): (...args: Args) => Promise<Result>;
    startWorkflow<Args extends unknown[], Result>(
      workflow: (...args: Args) => Promise<Result>,
      options?: { readonly workflowID: string },
    ): (...args: Args) => Promise<WorkflowHandle<Result>>;
    runStep<Result>(step: () => Promise<Result>, options: { readonly name: string }): Promise<Result>;
    recv(topic: string, timeoutSeconds: number): Promise<unknown>;
    send(workflowId: string, message: unknown, topic: string): Promise<void>;
  };
}

declare module "openworkflow" {
  export interface Backend {
    completeWorkflowRun(params: { readonly workflowRunId: string; readonly output: unknown }): Promise<unknown>;
    sleepWorkflowRun(params: { readonly workflowRunId: string }): Promise<unknown>;
    stop(): Promise<void>;
  }
  export interface WorkflowFunctionParams<Input> {
    readonly input: Input;
    readonly run: { readonly id: string };
    readonly step: {
      run<Result>(config: { readonly name: string }, step: () => Promise<Result>): Promise<Result>;
      waitForSignal(options: { readonly signal: string; readonly timeout: string }): Promise<unknown>;
    };
  }
  export class OpenWorkflow {
    constructor(options: { readonly backend: Backend });
    defineWorkflow<Input, Output>(
      spec: { readonly name: string },
      workflow: (params: WorkflowFunctionParams<Input>) => Promise<Output>,
    ): { run(input: Input): Promise<{ readonly workflowRun: { readonly id: string } }> };
    newWorker(options: { readonly concurrency: number }): { start(): Promise<void>; stop(): Promise<void> };
    sendSignal(options: {
      readonly signal: string;
      readonly data: unknown;
    }): Promise<{ readonly workflowRunIds: string[] }>;
  }
}

declare module "openworkflow/sqlite" {
  import type { Backend } from "openworkflow";
  export const BackendSqlite: { connect(file: string): Backend };
}

declare module "openworkflow/postgres" {
  import type { Backend } from "openworkflow";
  export const BackendPostgres: { connect(url: string): Promise<Backend> };
}

declare module "@restatedev/restate-sdk" {
  import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";
  interface Context {
    run<Result>(name: string, action: () => Promise<Result>): Promise<Result>;
  }
  interface WorkflowContext extends Context {
    readonly key: string;
    promise(name: string): PromiseLike<unknown> & { resolve(value: unknown): Promise<void> };
  }
  interface Definition {
    readonly name: string;
  }
  type Handler<Of> = (context: Of, input: never) => Promise<unknown>;
  export function service<Handlers extends Record<string, Handler<Context>>>(
    definition: Definition & { readonly handlers: Handlers },
  ): Definition;
  export function workflow<Handlers extends Record<string, Handler<WorkflowContext>>>(
    definition: Definition & { readonly handlers: Handlers },
  ): Definition;
  export function createEndpointHandler(options: {
    readonly services: readonly Definition[];
    readonly logger: (...message: readonly unknown[]) => void;
  }): (request: Http2ServerRequest, response: Http2ServerResponse) => void;
}

declare module "retoolrpc" {
  export class RetoolRPC {
    constructor(config: {
      readonly apiToken: string;
      readonly host: string;
      readonly resourceId: string;
      readonly logLevel: "error";
    });
    register(spec: {
      readonly name: string;
      readonly arguments: Readonly<Record<string, { type: "number"; description: string; required: boolean }>>;
      readonly implementation: (given: { readonly n: number }) => Promise<number>;
    }): void;
    listen(): Promise<void>;
  }
}
