import type { ErrorCode, Permission } from "@procedo/contract";
import type { InboundAnswer } from "@procedo/engine";
import * as z from "zod";
import type { GuestCall } from "./guest-call.ts";
import type { EventStream } from "./live/event-stream.ts";
import type {
  Call,
  ClientCall,
  InboundCall,
  PageCall,
  PrincipalCall,
  Service,
  SessionCall,
} from "./operation-calls.ts";

/** The variable segments of a path, by name. */
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
  | "Triggers"
  | "Connections"
  | "Private connection clients"
  | "Webhooks"
  | "Events of other services"
  | "API keys"
  | "Signing in"
  | "People"
  | "Service";

/** A successful answer of an operation. */
export interface AnswerSpec {
  readonly description: string;
  /** {@link nothing} for an answer without a body. */
  readonly schema: z.ZodType;
  /** @defaultValue "application/json" */
  readonly media?: "text/event-stream" | "text/html";
}

/** The schema of an answer without a body. */
export const nothing = z.undefined();

/** The schema of an answer whose text is sent as it comes. */
export const eventStream = z.string() as unknown as z.ZodType<EventStream>;

/** The body that an operation reads. */
export interface BodySpec<Schema extends z.ZodType = z.ZodType> {
  readonly schema: Schema;
  /** The schema shown in the OpenAPI document. @defaultValue the schema */
  readonly describedBy?: z.ZodType;
  /** @defaultValue 1 MiB */
  readonly maxBytes?: number;
  /** Reads a missing body as `{}`. @defaultValue false */
  readonly optional?: boolean;
  /**
   * Converts a number that a double cannot represent to a string with its digits. For results of completed work, which
   * cannot be sent in another form.
   *
   * @defaultValue false: such a number is refused
   */
  readonly keepsDigits?: boolean;
  /** Levels of nesting that the body adds around its values, on top of the limit for values. @defaultValue 1 */
  readonly envelopeLevels?: number;
}

interface Described<Path extends string> {
  /** `operationId` in the OpenAPI document. */
  readonly id: string;
  readonly method: Method;
  readonly path: Path;
  readonly tag: Tag;
  readonly summary: string;
  readonly description?: string;
}

/** An operation without authentication. */
export interface OpenOperation extends Described<string> {
  readonly access: "open";
  readonly answers: Readonly<Record<number, AnswerSpec>>;
  /** Codes of the errors that the operation may answer. */
  readonly errors: readonly ErrorCode[];
  handle(service: Service): Promise<Reply>;
}

/** An operation that reads a request. */
interface Reading<Path extends string, Answers extends Readonly<Record<number, AnswerSpec>>> extends Described<Path> {
  readonly query: z.ZodObject;
  readonly body?: BodySpec;
  /** Headers that the operation reads, each with its schema. */
  readonly headers?: Readonly<Record<string, z.ZodType>>;
  readonly answers: Answers;
  /** Codes of the operation's own errors, in addition to those common to all operations with the same access. */
  readonly errors: readonly ErrorCode[];
}

/**
 * An operation for callers who have not signed in: signing in, and accepting an invitation. Attempts that fail are
 * counted per address, and a request of a foreign web page is refused.
 */
export interface GuestOperation<
  Path extends string = string,
  Query = unknown,
  Body = unknown,
  Answers extends Readonly<Record<number, AnswerSpec>> = Readonly<Record<number, AnswerSpec>>,
> extends Reading<Path, Answers> {
  readonly access: "guest";
  /** Whether requests are attempts to sign in, refused after too many failed ones of the address. @defaultValue false */
  readonly isAttempt?: boolean;
  /**
   * The page to which a failed request is redirected, for an operation that a browser opens, by the error's code and the
   * query string; `undefined` where the error is answered. @defaultValue every error is answered
   */
  readonly failurePage?: (code: ErrorCode, query: string) => string | undefined;
  handle(call: GuestCall<PathParams<Path>, Query, Body>): Promise<ReplyOf<Answers>>;
}

/** An operation that requires the session of a person, as a cookie or as a bearer token. No API key is accepted. */
export interface SessionOperation<
  Path extends string = string,
  Query = unknown,
  Body = unknown,
  Answers extends Readonly<Record<number, AnswerSpec>> = Readonly<Record<number, AnswerSpec>>,
> extends Reading<Path, Answers> {
  readonly access: "session";
  /** `administer`: the person must be an owner of both environments. @defaultValue none is needed */
  readonly permission?: "administer";
  handle(call: SessionCall<PathParams<Path>, Query, Body>): Promise<ReplyOf<Answers>>;
}

/** An operation that requires an API key, or the session of a person and the name of an environment. */
export interface KeyOperation<
  Path extends string = string,
  Query = unknown,
  Body = unknown,
  Answers extends Readonly<Record<number, AnswerSpec>> = Readonly<Record<number, AnswerSpec>>,
> extends Reading<Path, Answers> {
  readonly access: "key";
  /** Whether a request prolongs its session. @defaultValue true */
  readonly isUse?: boolean;
  /** Whether a request changes nothing: its answer is refused once the key is deleted. @defaultValue `true` for `GET` */
  readonly onlyReads?: boolean;
  /** Permissions that the caller needs in the environment; operations that only read need none. */
  readonly permission?: Permission | readonly Permission[];
  /**
   * A session's request may leave the environment out: it is that of the run in the path. The code answers a run that is in
   * no environment of the person. @defaultValue the request names an environment
   */
  readonly findsRun?: "run_not_found" | "review_not_found";
  /**
   * Whether the answer is large or takes long to produce. Only a few such answers may be in progress per key and per
   * environment (access/heavy-answer-limiter.ts), and they are sent in pieces. An operation that learns the size from storage
   * calls `heavy` of its {@link Call} instead.
   *
   * @defaultValue no answer is heavy
   */
  heavy?(query: Query): boolean;
  handle(call: Call<PathParams<Path>, Query, Body>): Promise<ReplyOf<Answers>>;
}

/**
 * An operation for clients of private connections, authenticated by their token. `HEAD` is not supported: a poll claims
 * calls.
 */
export interface ClientOperation<
  Query = unknown,
  Body = unknown,
  Answers extends Readonly<Record<number, AnswerSpec>> = Readonly<Record<number, AnswerSpec>>,
> extends Reading<string, Answers> {
  readonly access: "client";
  handle(call: ClientCall<Query, Body>): Promise<ReplyOf<Answers>>;
}

/** An operation that requires an API key, or a person whom the application signed in, and no environment. It only reads. */
export interface PrincipalOperation<
  Query = unknown,
  Answers extends Readonly<Record<number, AnswerSpec>> = Readonly<Record<number, AnswerSpec>>,
> extends Omit<Reading<string, Answers>, "body"> {
  readonly access: "principal";
  readonly body?: undefined;
  handle(call: PrincipalCall<Query>): Promise<ReplyOf<Answers>>;
}

/**
 * An operation for other services, whose requests prove their origin by a signature over their bytes. Its body is of any
 * content type, its answers have no body unless the service asks for one, and it sets no cookie.
 */
export interface InboundOperation<Path extends string = string> extends Described<Path> {
  readonly access: "inbound";
  readonly answers: Readonly<Record<number, AnswerSpec>>;
  readonly errors: readonly [];
  handle(call: InboundCall<PathParams<Path>>): Promise<InboundAnswer>;
}

/**
 * An operation that a person opens in a browser, without a key or session. Its answer is a redirect or a page, also that of
 * an error. Other services redirect browsers to it, so that any parameters may be in its query.
 */
export interface PageOperation<Path extends string = string> extends Described<Path> {
  readonly access: "page";
  readonly method: "GET";
  /** Describes the parameters that it reads, without checking them. */
  readonly query: z.ZodObject;
  /** Heading of the page of an error. */
  readonly failureTitle: string;
  readonly answers: Readonly<Record<number, AnswerSpec>>;
  /** Codes of the operation's own errors, in addition to those common to all operations with the same access. */
  readonly errors: readonly ErrorCode[];
  handle(call: PageCall<PathParams<Path>>): Promise<Reply>;
}

export type Operation =
  | OpenOperation
  | GuestOperation
  | SessionOperation
  | PrincipalOperation
  | KeyOperation
  | ClientOperation
  | InboundOperation
  | PageOperation;

/** The permissions that callers of an operation need. */
export function permissionsOf({ permission = [] }: Pick<KeyOperation, "permission">): readonly Permission[] {
  return typeof permission === "string" ? [permission] : permission;
}

export interface Reply {
  readonly status: number;
  /** The answer's value; a string is JSON already. `undefined`: no body. */
  readonly body: unknown;
  /** Media type of a text that is sent as it is. @defaultValue the body is JSON */
  readonly media?: string;
  /** More headers: alternating names and values. @defaultValue none */
  readonly headers?: readonly string[];
}

/** The replies of an operation: each status with a body of that status's schema. */
export type ReplyOf<Answers extends Readonly<Record<number, AnswerSpec>>> = {
  [Status in keyof Answers & number]: {
    readonly status: Status;
    readonly body: z.output<Answers[Status]["schema"]>;
    readonly headers?: readonly string[];
  };
}[keyof Answers & number];

/** Builds a reply that keeps the literal types of its status and body. */
export function reply<const Status extends number, const Body>(
  status: Status,
  body: Body,
): { readonly status: Status; readonly body: Body } {
  return { status, body };
}

/** Defines an operation once, for the router, authorization, the OpenAPI document and the test matrices. */
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

/** Defines an operation for callers who have not signed in. */
export function defineGuestOperation<
  const Path extends string,
  Query extends z.ZodObject,
  const Answers extends Readonly<Record<number, AnswerSpec>>,
  Schema extends z.ZodType = z.ZodUndefined,
>(
  operation: Omit<GuestOperation<Path, z.output<Query>, z.output<Schema>, Answers>, "access" | "query" | "body"> & {
    readonly query: Query;
    readonly body?: BodySpec<Schema>;
  },
): GuestOperation {
  return { ...operation, access: "guest" };
}

/** Defines an operation for the session of a person. */
export function defineSessionOperation<
  const Path extends string,
  Query extends z.ZodObject,
  const Answers extends Readonly<Record<number, AnswerSpec>>,
  Schema extends z.ZodType = z.ZodUndefined,
>(
  operation: Omit<SessionOperation<Path, z.output<Query>, z.output<Schema>, Answers>, "access" | "query" | "body"> & {
    readonly query: Query;
    readonly body?: BodySpec<Schema>;
  },
): SessionOperation {
  return { ...operation, access: "session" };
}

/** Defines an operation for a principal of any kind. */
export function definePrincipalOperation<
  Query extends z.ZodObject,
  const Answers extends Readonly<Record<number, AnswerSpec>>,
>(
  operation: Omit<PrincipalOperation<z.output<Query>, Answers>, "access" | "query" | "body"> & {
    readonly query: Query;
  },
): PrincipalOperation {
  return { ...operation, access: "principal" };
}

/** Defines an operation for clients of private connections. */
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

/** Defines an operation for other services. */
export function defineInboundOperation<const Path extends string>(
  operation: Omit<InboundOperation<Path>, "access" | "errors">,
): InboundOperation {
  return { ...operation, access: "inbound", errors: [] };
}

/** Defines an operation for browsers. */
export function definePageOperation<const Path extends string>(
  operation: Omit<PageOperation<Path>, "access" | "method">,
): PageOperation {
  return { ...operation, access: "page", method: "GET" };
}
