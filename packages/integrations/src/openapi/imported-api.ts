import type { JsonObject } from "@procedo/contract";

/** What a document gives: one operation for each action, and what its author should know. */
export interface ImportedApi {
  /** `info.title`; text of a stranger, to be shown as text. */
  readonly title: string;
  /** `info.version` */
  readonly version: string;
  /** The document's first server with its variables' defaults; `undefined`: it names none, or a relative one. */
  readonly baseUrl: string | undefined;
  /** In the document's order, each under a name of its own. */
  readonly operations: readonly ImportedOperation[];
  /** What was left out or changed, and why: those of severity `error` are operations that were refused. */
  readonly problems: readonly ImportProblem[];
}

/** The outcome of an import: the API, or the problems that refuse the whole document. */
export type ImportResult =
  | { readonly ok: true; readonly api: ImportedApi }
  /** Nothing was imported. At least one problem is an error. */
  | { readonly ok: false; readonly problems: readonly ImportProblem[] };

/** A part of a document that is invalid or left out, with its place. */
export interface ImportProblem {
  readonly severity: "error" | "warning";
  /** JSON pointer (RFC 6901) into the document; `""` is the whole. */
  readonly pointer: string;
  /** What is wrong, with the offending value where it is short, and what to do. */
  readonly message: string;
  /** From 1, where known. */
  readonly line?: number;
  /** From 1, where known. */
  readonly column?: number;
}

/** An operation of the document as it can be called. JSON throughout, and never changed. */
export interface ImportedOperation {
  /** The action's: the operationId as it is written, or method and path; 1 to 256 characters, distinct in the document. */
  readonly name: string;
  readonly operationId: string | undefined;
  readonly method: "get" | "put" | "post" | "delete" | "options" | "head" | "patch";
  /**
   * The key as it is written: a template, `/payments/{id}`. A query is sent with each call (`/rest?method=pay`); a fragment,
   * `/payments#create`, tells operations apart and is not sent.
   */
  readonly path: string;
  /** Where the operation stands in the document. */
  readonly pointer: string;
  /** Summary and description; text of a stranger. `""`: it has neither. */
  readonly description: string;
  readonly deprecated: boolean;
  /** By the method: `read` for GET, HEAD and OPTIONS, `idempotent` for PUT and DELETE (RFC 9110, 9.2), `once` else. */
  readonly effect: "read" | "idempotent" | "once";
  /** JSON Schema (2020-12) of the arguments: an object, closed unless the body is open. */
  readonly input: JsonObject;
  /**
   * JSON Schema (2020-12) of the first 2xx answer's JSON; `undefined`: not known. A getter, which translates what the document
   * says when it is asked first, and keeps the document until then. A spread asks; `changedOperation` does not.
   */
  readonly output: JsonObject | undefined;
  /** The header `Accept`: the media types of its answers, best first, and anything at last. */
  readonly accept: string;
  /** Whether the document describes its answer as JSON, which then is JSON under any label. */
  readonly answersJson: boolean;
  /** One for each property of `input`. */
  readonly inputs: readonly ImportedInput[];
  /** `undefined`: no body is sent. */
  readonly body: ImportedBody | undefined;
}

/** Where one argument goes. */
export type ImportedInput = ParameterInput | BodyInput;

/** An argument that becomes a parameter of the request. */
export interface ParameterInput {
  /** Name of the argument. */
  readonly input: string;
  readonly in: "path" | "query" | "header" | "cookie";
  /** Name on the wire. */
  readonly name: string;
  readonly required: boolean;
  readonly encoding: ParameterEncoding;
  /** Of a header `Accept` or `Content-Type` of Swagger 2.0: sent where neither the call nor the connection gives one. */
  readonly fallback?: string;
}

/** An argument that becomes the request's body or a member of it. */
export interface BodyInput {
  readonly input: string;
  readonly in: "body";
  /** Name of the body's member; `""`: the argument is the whole body. */
  readonly name: string;
  readonly required: boolean;
}

/** How a parameter's value is written. */
export type ParameterEncoding =
  /** OpenAPI 3.0 `content`: the value as text of this media type. */
  | { readonly kind: "content"; readonly mediaType: string }
  | {
      readonly kind: "style";
      /** `tabDelimited` is Swagger's `tsv`. */
      readonly style:
        "simple" | "label" | "matrix" | "form" | "spaceDelimited" | "pipeDelimited" | "tabDelimited" | "deepObject";
      readonly explode: boolean;
      /** Whether RFC 3986's reserved characters stay as they are; query only. */
      readonly allowReserved: boolean;
    };

/** The request body of an operation. */
export interface ImportedBody {
  readonly required: boolean;
  /**
   * As the document writes it, with its parameters but `boundary`, in lower case up to them. A range stands for the type that
   * is sent in its place.
   */
  readonly mediaType: string;
  /** It is written as JSON, although the media type does not say so: a vendor's own type with the schema of an object. */
  readonly asJson?: true;
  /** `members`: arguments are members of the body; `whole`: the argument named by the one `BodyInput` is the body. */
  readonly shape: "members" | "whole";
  /** Whether arguments that no input names are members of the body. Only with `members`. */
  readonly open: boolean;
  /** Of form and multipart bodies: members that are not written by the defaults. */
  readonly parts: Readonly<Record<string, BodyPart>>;
  /** Of open multipart bodies: members that no input names, where they are files. */
  readonly otherParts?: BodyPart;
}

/** How one member of a body is written. */
export interface BodyPart {
  /** Of multipart: the part's `Content-Type`. */
  readonly contentType?: string;
  /** A file: its argument is `{ base64, filename?, contentType? }`, or its content as a string; a list of files is several. */
  readonly binary?: true;
  /** Of a file that may be something else, such as a link: only `{ base64 … }` is a file, all else is written as without `binary`. */
  readonly orPlain?: true;
  /** Of forms: how the member is written. */
  readonly encoding?: Extract<ParameterEncoding, { readonly kind: "style" }>;
}
