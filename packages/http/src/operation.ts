import type { Environment, ErrorCode, Permission } from "@procedo/contract";
import type { Engine, Principal, PrivateClient } from "@procedo/engine";
import * as z from "zod";

/** Names of a path's variable segments. */
export type PathParams<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? { readonly [N in Name]: string } & PathParams<Rest>
  : Path extends `${string}:${infer Name}`
    ? { readonly [N in Name]: string }
    : unknown;

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export type Tag =
  | "Runs"
  | "Reviews"
  | "Procedures"
  | "Connections"
  | "Private connection clients"
  | "Webhooks"
  | "API keys"
  | "Service";

/** One answer that is not an error. */
export interface AnswerSpec {
  readonly description: string;
  /** {@link nothing}: there is no body. */
  readonly schema: z.ZodType;
}

/** The schema of an answer that says everything by its status. */
export const nothing = z.undefined();

/** The body that an operation reads. */
export interface BodySpec<Schema extends z.ZodType = z.ZodType> {
  readonly schema: Schema;
  /** What the OpenAPI document says of it. @defaultValue the schema */
  readonly describedBy?: z.ZodType;
  /** @defaultValue 1 MiB */
  readonly maxBytes?: number;
  /** No body at all is `{}`. @defaultValue false */
  readonly optional?: boolean;
  /**
   * A number that a double cannot hold becomes a text with its digits. For what nobody can be asked to send otherwise: it
   * tells of work that is done.
   *
   * @defaultValue false: it is refused
   */
  readonly keepsDigits?: boolean;
  /** How many levels the body nests around the values in it, which may nest as deep as values may. @defaultValue 1 */
  readonly envelopeLevels?: number;
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

/** What has to be known of who asks. */
interface Guarded<Path extends string, Answers extends Readonly<Record<number, AnswerSpec>>> extends Described<Path> {
  readonly query: z.ZodObject;
  readonly body?: BodySpec;
  /** Headers that it reads, each with its schema. */
  readonly headers?: Readonly<Record<string, z.ZodType>>;
  readonly answers: Answers;
  /** Codes of the errors that it may answer beside those of every operation of its access. */
  readonly errors: readonly ErrorCode[];
}

/** What a key's holder may ask for. */
export interface KeyOperation<
  Path extends string = string,
  Query = unknown,
  Body = unknown,
  Answers extends Readonly<Record<number, AnswerSpec>> = Readonly<Record<number, AnswerSpec>>,
> extends Guarded<Path, Answers> {
  readonly access: "key";
  /** What the key needs beside being one; reading needs nothing. */
  readonly permission?: Permission;
  /**
   * Its answer is large, or making it is long work: of these only a few are under way at once for a key and for an
   * environment (access/heavy-answers.ts), and the answer goes out in pieces. Where only storage can tell, the operation
   * calls `heavy` of its call.
   *
   * @defaultValue none is
   */
  heavy?(query: Query): boolean;
  handle(call: Call<PathParams<Path>, Query, Body>): Promise<ReplyOf<Answers>>;
}

/** What the client of a private connection may ask for, by its token. Never by `HEAD`: to ask is to take. */
export interface ClientOperation<
  Query = unknown,
  Body = unknown,
  Answers extends Readonly<Record<number, AnswerSpec>> = Readonly<Record<number, AnswerSpec>>,
> extends Guarded<string, Answers> {
  readonly access: "client";
  handle(call: ClientCall<Query, Body>): Promise<ReplyOf<Answers>>;
}

export type Operation = OpenOperation | KeyOperation | ClientOperation;

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
  /**
   * What follows takes as long as the caller has asked for, and needs the body no more; anything else is answered within
   * 5 s.
   */
  readonly hold: () => void;
  /**
   * While something outside is waited for, which has a time limit of its own, the request's time stands still.
   *
   * @throws ProcedoError `rate_limited` when too many requests of the key or the environment do so
   */
  readonly outside: (isOutside: boolean) => void;
  /** Whether the caller is still there and waits for the answer: asked before a secret is made that only the answer shows. */
  readonly isAwaited: () => boolean;
  /** What follows is as large as in an operation that is `heavy`. @throws ProcedoError `rate_limited` */
  heavy(): Promise<void>;
  /**
   * Counts memory that the answer takes until its caller has it.
   *
   * @throws ProcedoError `payload_too_large` for an answer that never finds room, `rate_limited` for one that finds none now
   */
  readonly onRead: (bytes: number) => void;
}

/** One request of a private connection's client. */
export interface ClientCall<Query = unknown, Body = unknown> {
  readonly engine: Engine;
  readonly client: PrivateClient;
  readonly query: Query;
  readonly body: Body;
  header(name: string): string | undefined;
  /** Gives notice when the client is gone, or as soon as the service closes. */
  pollSignal(): AbortSignal;
  /** The answer may take so much longer than others. */
  extend(ms: number): void;
}

export interface Reply {
  readonly status: number;
  /** An answer's value; a text is JSON already. `undefined`: no body. */
  readonly body: unknown;
}

/** A reply of each status with a body that fits the status's schema. */
export type ReplyOf<Answers extends Readonly<Record<number, AnswerSpec>>> = {
  [Status in keyof Answers & number]: {
    readonly status: Status;
    readonly body: z.output<Answers[Status]["schema"]>;
  };
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

/** The same for what clients of private connections ask. */
export function defineClientOperation<
  Query extends z.ZodObject,
  const Answers extends Readonly<Record<number, AnswerSpec>>,
  Schema extends z.ZodType = z.ZodUndefined,
>(
  operation: Omit<ClientOperation<z.output<Query>, z.output<Schema>, Answers>, "access" | "tag" | "query" | "body"> & {
    readonly query: Query;
    readonly body?: BodySpec<Schema>;
  },
): ClientOperation {
  return { ...operation, access: "client", tag: "Private connection clients" };
}
