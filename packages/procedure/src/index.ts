// A document in TypeScript
export { defineProcedure } from "./define-procedure.ts";
export type {
  EdgeDefinition,
  InputOf,
  InputSchema,
  NodeDefinition,
  ProcedureDefinition,
  TypedProcedure,
} from "./define-procedure.ts";

// A document as a chart
export { mermaidChart } from "./chart/mermaid-chart.ts";
export type { ChartedStep } from "./chart/mermaid-chart.ts";

// The differences between two documents
export { describeChanges } from "./changes/describe-changes.ts";
export { sentenceOf } from "./changes/change-sentence.ts";
export { mapNodeIds } from "./changes/node-references.ts";
export { renameReads } from "./changes/rename-reads.ts";
export type { ReadName } from "./changes/rename-reads.ts";
export type {
  DocumentChange,
  EdgeAdded,
  EdgeRedirected,
  EdgeRemoved,
  MemberChanged,
  NodeAdded,
  NodeRemoved,
  NodeRenamed,
} from "./changes/document-change.ts";

// From a document to a version
export { compileProcedure, loadProcedure } from "./compile/compile-procedure.ts";
export type { CompileResult } from "./compile/compile-procedure.ts";
export type { ActionShape, CompileSurroundings } from "./compile/surroundings.ts";
export type { Problem, ProblemCode } from "./problems.ts";

// A version, ready to run
export type {
  CompiledCondition,
  CompiledEnd,
  CompiledGuard,
  CompiledHumanReview,
  CompiledNode,
  CompiledProcedure,
  CompiledStart,
  CompiledSumLimit,
  CompiledToolCall,
  RetryPolicy,
  Reviewers,
} from "./compiled.ts";

// Schemas
export { asPublished, compileSchema, createSchemaCompiler } from "./schemas/compile-schema.ts";
export type { SchemaCompiler, SchemaOptions, SchemaResult } from "./schemas/compile-schema.ts";
export type { SchemaValidator } from "./schemas/schema-validator.ts";
export { isRequiredWith, type Violation } from "./schemas/violation.ts";
export { withDefaults } from "./schemas/input-defaults.ts";
export type { CompletedInput } from "./schemas/input-defaults.ts";
export { withoutRefusedNulls } from "./schemas/left-out-nulls.ts";
export type { WithoutNulls } from "./schemas/left-out-nulls.ts";
export { resolvePointer } from "./schemas/schema-walk.ts";
export { withExactNumbers } from "./schemas/number-places.ts";
export type { WithExactNumbers } from "./schemas/number-places.ts";

// Values from outside
export { ExactNumber, plainDigits, plainNumber } from "./numbers/exact-number.ts";
export { parseExact, parseKeepingExact } from "./numbers/parse-json.ts";
export { repeatedMember } from "./json/repeated-member.ts";
export { readJsonText } from "./json-text/read-json-text.ts";
export type { JsonText } from "./json-text/read-json-text.ts";
export type { TextLines, TextPosition } from "./json-text/text-places.ts";
export type { ExactJsonParse, JsonParse } from "./numbers/parse-json.ts";
export { fitsDepth, outOfBounds } from "./json-bounds.ts";
export type { JsonBounds, OutOfBounds } from "./json-bounds.ts";
export { parseDuration } from "./duration.ts";
export type { DurationResult } from "./duration.ts";

export { momentsOfLocal, timeZoneOf } from "./expressions/time-zone.ts";
export type { TimeZone } from "./expressions/time-zone.ts";

// Expressions
export { compileExpression } from "./expressions/compile-expression.ts";
export type { CompiledExpression, ExpressionOptions } from "./expressions/compile-expression.ts";
export { compileTemplate } from "./expressions/compile-template.ts";
export type { CompiledTemplate, TemplateProblem } from "./expressions/compile-template.ts";
export { createStepBudget } from "./expressions/step-budget.ts";
export type { StepBudget } from "./expressions/step-budget.ts";
export { scopeTypes, valueTypes } from "./expressions/scope-types.ts";
export type { ScopeSchemas, ScopeTypes } from "./expressions/scope-types.ts";
export type {
  ErrorDetails,
  Evaluation,
  Expression,
  NodeResult,
  RunFacts,
  Scope,
  Template,
  ValueScope,
} from "./expressions/expression.ts";

// An expression in words
export { plainReading } from "./reading/plain-reading.ts";
export type { ValueNames } from "./reading/plain-reading.ts";
export { pathsRead } from "./expressions/paths-read.ts";

// The mapping of an occurrence to the input of a run
export { compileMapping } from "./mapping/compile-mapping.ts";
export type { CompiledMapping, Mapping, MappingSource } from "./mapping/compile-mapping.ts";

// The interpreter
export { fold, initialState } from "./interpreter/fold.ts";
export { referenceOf } from "./interpreter/run-reference.ts";
export { insteadOfRepeating, next, resume } from "./interpreter/next.ts";
export { defaultRunLimits } from "./interpreter/limits.ts";
export type { RunLimits } from "./interpreter/limits.ts";
export type { ApprovedCall, Cursor, ReadyCall, RunCounts, RunState } from "./interpreter/state.ts";
export { wantsOf } from "./interpreter/step.ts";
export type { AgentNode, Step } from "./interpreter/step.ts";
export { approvedAnswer } from "./interpreter/approved-answer.ts";
export { attemptsCounted, isNotStarted, repeatableUntilMs } from "./interpreter/attempts.ts";
export { failedCall } from "./interpreter/error-details.ts";
export { resultOfCalls } from "./interpreter/agent-calls.ts";
export { callsOf, declineTool, tokensOf } from "./interpreter/conversation.ts";
export type {
  AgentCall,
  AgentState,
  AgentTurn,
  Concluded,
  FailedCall,
  ModelReply,
  ModelResult,
  Prompted,
  PromptMessage,
  Replied,
  ReplyPart,
  TokenUsage,
} from "./interpreter/conversation.ts";
export type { StepError } from "./interpreter/step-error.ts";
export type { FrozenAccount, FrozenCall } from "./interpreter/frozen-call.ts";
export type {
  ReviewClosed,
  ReviewOpened,
  CancelRequested,
  BranchTaken,
  DecisionFact,
  Emitted,
  Held,
  Ended,
  Entry,
  Intent,
  OpenReview,
  Outcome,
  Superseded,
  NodeFailed,
  ReservedAmount,
  Recovered,
  ReviewAnswer,
  ReviewedCall,
  ReviewKind,
  ReviewRules,
  RunResult,
  Started,
} from "./interpreter/journal.ts";
export type { CallResult, RecordedExchange, RecordedMessage } from "./interpreter/call-result.ts";
