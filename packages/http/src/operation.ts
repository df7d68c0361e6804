import type { Environment, ErrorCode, Permission } from "@procedo/contract";
import type { Engine, Principal } from "@procedo/engine";
import type * as z from "zod";

/** Names of a path's variable segments. */
export type PathParams<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? { readonly [N in Name]: string } & PathParams<Rest>
  : Path extends `${string}:${infer Name}`
    ? { readonly [N in Name]: string }
    : unknown;

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export type Tag = "Runs" | "Reviews" | "Procedures" | "Webhooks" | "API keys" | "Service";

/** One answer that is not an error. */
export interface AnswerSpec {
  readonly description: string;
  readonly schema: z.ZodType;
}

/** The body that an operation reads. */
export interface BodySpec<Schema extends z.ZodType = z.ZodType> {
  readonly schema: Schema;
  /** What the OpenAPI document says of it. @defaultValue the schema */
  readonly describedBy?: z.ZodType;
  /** No body at all is `{}`. @defaultValue false */
  readonly optional?: boolean;
}

interface Described<Path extends string> {
  /** `operationId` of the OpenAPI document. */
  readonly id: string;
  readonly method: Method;
  readonly path: Path;
  readonly tag: Tag;
  readonly summary: string;
  readonly description?: string;
}

/** What everybody may ask for. */
export interface OpenOperation extends Described<string> {
  readonly access: "open";
  readonly answers: Readonly<Record<number, AnswerSpec>>;
  /** Codes of the errors that it may answer. */
  readonly errors: readonly ErrorCode[];
  handle(service: Service): Promise<Reply>;
}

/** What a key's holder may ask for. */
export interface KeyOperation<
  Path extends string = string,
  Query = unknown,
  Body = unknown,
  Answers extends Readonly<Record<number, AnswerSpec>> = Readonly<Record<number, AnswerSpec>>,
> extends Described<Path> {
  readonly access: "key";
  /** What the key needs beside being one; reading needs nothing. */
  readonly permission?: Permission;
  readonly query: z.ZodObject;
  readonly body?: BodySpec;
  /** Headers that it reads, each with its schema. */
  readonly headers?: Readonly<Record<string, z.ZodType>>;
  readonly answers: Answers;
  /** Codes of the errors that it may answer beside those of every operation with a key. */
  readonly errors: readonly ErrorCode[];
  handle(call: Call<PathParams<Path>, Query, Body>): Promise<ReplyOf<Answers>>;
}

export type Operation = OpenOperation | KeyOperation;

/** What the operations without a key have to say. */
export interface Service {
  /** Resolves when requests can be served. */
  readonly ready: () => Promise<void>;
  /** JSON text of the OpenAPI document. */
  readonly openApiText: () => string;
}

/** One request that was let in. */
export interface Call<Params = unknown, Query = unknown, Body = unknown> {
  readonly engine: Engine;
  readonly principal: Principal;
  /** The key's. */
  readonly environment: Environment;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  header(name: string): string | undefined;
  readonly statusUrl: (runId: string) => string;
  /** Gives notice when the answer is not waited for any more, or has to be given now. */
  waitSignal(): AbortSignal;
  /** What follows takes as long as the caller has asked for; anything else is answered within 5 s. */
  hold(): void;
}

export interface Reply {
  readonly status: number;
  /** An answer's value; a text is JSON already. */
  readonly body: unknown;
}

/** A reply of each status with a body that fits the status's schema. */
export type ReplyOf<Answers extends Readonly<Record<number, AnswerSpec>>> = {
  [Status in keyof Answers & number]: { readonly status: Status; readonly body: z.output<Answers[Status]["schema"]> };
}[keyof Answers & number];

/** A reply with its status and body as literally as they are written. */
export function reply<const Status extends number, const Body>(status: Status, body: Body) {
  return { status, body };
}

/** Describes an operation once: router, authorization, OpenAPI document and the tests' matrices all read this. */
export function defineOperation<
  const Path extends string,
  Query extends z.ZodObject,
  const Answers extends Readonly<Record<number, AnswerSpec>>,
  Schema extends z.ZodType = z.ZodUndefined,
>(
  operation: Omit<KeyOperation<Path, z.output<Query>, z.output<Schema>, Answers>, "access" | "query" | "body"> & {
    readonly query: Query;
    readonly body?: BodySpec<Schema>;
  },
): KeyOperation {
  return { ...operation, access: "key" };
}
