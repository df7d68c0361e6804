// Importing a document
export { importDocument, maxOperations } from "./import-document.ts";
export { decodeDocument } from "./document/decode-document.ts";
export { maxDocumentBytes } from "./document/document-limits.ts";

// Contents of a document
export type {
  BodyInput,
  BodyPart,
  ImportedApi,
  ImportedBody,
  ImportedInput,
  ImportedOperation,
  ImportProblem,
  ImportResult,
  ParameterEncoding,
  ParameterInput,
} from "./imported-api.ts";
export { describeApi, describeProblems } from "./describe-api.ts";
export type { ActionDescription, ApiDescription, ParameterDescription, ProblemDescription } from "./describe-api.ts";

// Differences between two documents
export { compareOperations } from "./compare-operations.ts";
export type { OperationChanges } from "./compare-operations.ts";

// Names for models
export { aliasOf } from "./names/alias-of.ts";
