import type { JsonObject } from "@procedo/contract";

/** An imported document: one operation per action, and notes for the author. */
export interface ImportedApi {
  /** `info.title`; untrusted text, to be displayed as text only. */
  readonly title: string;
  /** `info.version` */
  readonly version: string;
  /** The document's first server with default variables; `undefined` when there is none, or only a relative one. */
  readonly baseUrl: string | undefined;
  /** In the document's order, with distinct names. */
  readonly operations: readonly ImportedOperation[];
  /** Parts that were left out or changed, each with the reason. An `error` marks a refused operation. */
  readonly problems: readonly ImportProblem[];
}

/** The result of an import: the API, or the problems that invalidate the whole document. */
export type ImportResult =
  | {
      readonly ok: true;
      /** The imported API. */
      readonly api: ImportedApi;
    }
  /** Nothing was imported. At least one problem is an error. */
  | {
      readonly ok: false;
      /** The faults; at least one is an error. */
      readonly problems: readonly ImportProblem[];
    };

/** An invalid or omitted part of a document, with its place. */
export interface ImportProblem {
  /** `error`: the part cannot be used. `warning`: it was imported with a difference. */
  readonly severity: "error" | "warning";
  /** JSON pointer (RFC 6901) into the document; `""` is the whole document. */
  readonly pointer: string;
  /** The fault, with the value if it is short, and the remedy. */
  readonly message: string;
  /** From 1, if known. */
  readonly line?: number;
  /** From 1, if known. */
  readonly column?: number;
}

/** A callable operation of the document. JSON throughout, and immutable. */
export interface ImportedOperation {
  /**
   * The name of the action: the unchanged operationId, or method and path. 1 to 256 characters, unique in the document.
   */
  readonly name: string;
  /** The operation's id in the document; `undefined` when it has none. */
  readonly operationId: string | undefined;
  /** The HTTP method, in lower case. */
  readonly method: "get" | "put" | "post" | "delete" | "options" | "head" | "patch";
  /**
   * The unchanged key: a template such as `/payments/{id}`. A query is sent with each call (`/rest?method=pay`). A
   * fragment, as in `/payments#create`, distinguishes operations and is not sent.
   */
  readonly path: string;
  /** The place of the operation in the document. */
  readonly pointer: string;
  /** Summary and description; untrusted text. `""` when it has neither. */
  readonly description: string;
  /** Whether the document advises against its use. */
  readonly deprecated: boolean;
  /**
   * From the method: `read` for GET, HEAD and OPTIONS, `idempotent` for PUT and DELETE (RFC 9110, 9.2), otherwise
   * `once`.
   */
  readonly effect: "read" | "idempotent" | "once";
  /** JSON Schema (2020-12) of the arguments: an object, closed unless the body is open. */
  readonly input: JsonObject;
  /**
   * JSON Schema (2020-12) of the JSON in the first 2xx response; `undefined` when unknown. The getter translates the
   * document's schema on first access, and keeps the document in memory until then. A spread evaluates it;
   * `changedOperation` does not.
   */
  readonly output: JsonObject | undefined;
  /** The header `Accept`: the media types of the responses, best first, then any type. */
  readonly accept: string;
  /** Whether the document describes the response as JSON. It is then read as JSON under any label. */
  readonly answersJson: boolean;
  /** One for each property of `input`. */
  readonly inputs: readonly ImportedInput[];
  /** `undefined` when no body is sent. */
  readonly body: ImportedBody | undefined;
}

/** The destination of one argument. */
export type ImportedInput = ParameterInput | BodyInput;

/** An argument that is sent as a parameter. */
export interface ParameterInput {
  /** Name of the argument. */
  readonly input: string;
  /** The place of the parameter in the request. */
  readonly in: "path" | "query" | "header" | "cookie";
  /** Name in the request. */
  readonly name: string;
  /** Whether each call needs the argument. */
  readonly required: boolean;
  /** Encoding of the value in the request. */
  readonly encoding: ParameterEncoding;
  /**
   * For a header `Accept` or `Content-Type` of Swagger 2.0: sent when neither the call nor the connection provides one.
   */
  readonly fallback?: string;
}

/** An argument that is sent as the body or a member of it. */
export interface BodyInput {
  /** Name of the argument. */
  readonly input: string;
  readonly in: "body";
  /** Name of the body's member; `""` when the argument is the whole body. */
  readonly name: string;
  /** Whether each call needs the argument. */
  readonly required: boolean;
}

/** Encoding of a parameter's value. */
export type ParameterEncoding =
  /** OpenAPI 3.0 `content`: the value is text of this media type. */
  | {
      readonly kind: "content";
      /** The media type of the text. */
      readonly mediaType: string;
    }
  | {
      readonly kind: "style";
      /** `tabDelimited` is Swagger's `tsv`. */
      readonly style:
        "simple" | "label" | "matrix" | "form" | "spaceDelimited" | "pipeDelimited" | "tabDelimited" | "deepObject";
      /** Whether the items of a list, or the members of an object, are separate parameters. */
      readonly explode: boolean;
      /** Whether RFC 3986's reserved characters stay unescaped; query only. */
      readonly allowReserved: boolean;
    };

/** The request body of an operation. */
export interface ImportedBody {
  /** Whether each request needs a body. */
  readonly required: boolean;
  /**
   * In the document's notation, with its parameters except `boundary`, in lower case up to the parameters. A range is
   * replaced by the type that is sent.
   */
  readonly mediaType: string;
  /** The body is JSON, although its media type does not say so: a vendor type with an object schema. */
  readonly asJson?: true;
  /** `members`: arguments are members of the body. `whole`: the argument of the only `BodyInput` is the body. */
  readonly shape: "members" | "whole";
  /** Whether additional arguments become members of the body. Only with `members`. */
  readonly open: boolean;
  /** For form and multipart bodies: members with an encoding other than the default. */
  readonly parts: Readonly<Record<string, BodyPart>>;
  /** For open multipart bodies: the encoding of additional members, if they are files. */
  readonly otherParts?: BodyPart;
}

/** Encoding of one member of a body. */
export interface BodyPart {
  /** For multipart: the `Content-Type` of the part. */
  readonly contentType?: string;
  /**
   * A file. Its argument is `{ base64, filename?, contentType? }`, or its content as a string; a list contains several
   * files.
   */
  readonly binary?: true;
  /**
   * For a file that may also be another value, such as a link: only `{ base64 … }` is a file, and other values are
   * encoded as without `binary`.
   */
  readonly orPlain?: true;
  /** For forms: the style of the member. */
  readonly encoding?: Extract<ParameterEncoding, { readonly kind: "style" }>;
}
