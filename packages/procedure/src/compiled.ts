import type { JsonObject, NodeBudget, ProcedureDocument, UnknownOutcomePolicy } from "@procedo/contract";
import type { Expression, Template } from "./expressions/expression.ts";
import type { SchemaValidator } from "./schemas/schema-validator.ts";

/** A published version, ready to execute: parsed once, immutable, shared by all its runs. */
export interface CompiledProcedure {
  readonly document: ProcedureDocument;
  readonly startId: string;
  readonly nodes: ReadonlyMap<string, CompiledNode>;
  readonly input: SchemaValidator;
}

/** A compiled node, of one of the five kinds. */
export type CompiledNode = CompiledStart | CompiledEnd | CompiledToolCall | CompiledCondition | CompiledHumanReview;

/** The compiled Start node. */
export interface CompiledStart {
  readonly kind: "start";
  readonly id: string;
  readonly to: string;
}

/** A compiled End node. */
export interface CompiledEnd {
  readonly kind: "end";
  readonly id: string;
  readonly output: Template;
}

/** A compiled Tool Call node. */
export interface CompiledToolCall {
  readonly kind: "tool_call";
  readonly id: string;
  readonly title: string | undefined;
  readonly connection: string;
  readonly action: string;
  /** The mapped arguments. With an `agent` they are fixed, and the agent proposes the rest. */
  readonly arguments: Template;
  /** Present if an agent proposes arguments. An executor without an agent must refuse the node. */
  readonly agent?: {
    readonly instructions: string;
    readonly maxCalls: number;
    readonly budget: NodeBudget;
    /**
     * The paths that each mapped argument reads (`input.vendorId`), by argument name. Empty for an argument that is
     * constant in the document.
     */
    readonly fixed: ReadonlyMap<string, readonly string[]>;
  };
  readonly guards: readonly CompiledGuard[];
  readonly sumLimits: readonly CompiledSumLimit[];
  readonly retry: RetryPolicy;
  readonly timeoutMs: number | undefined;
  readonly onUnknownOutcome: UnknownOutcomePolicy;
  readonly emit: { readonly name: string; readonly data: Template } | undefined;
  readonly to: string;
  readonly onError: string | undefined;
  readonly onRejected: string | undefined;
  /**
   * The reviewers of this call's questions: the approvers of the review that covers it, so that a question is no easier
   * way to the same call; otherwise those whom the node names. Absent: any one person with the right to review.
   */
  readonly answeredBy?: Reviewers;
}

/** A compiled guard of a call. */
export interface CompiledGuard {
  readonly check: Expression;
  readonly otherwise: "review" | "fail";
}

/** A limit on a sum over the node's calls. */
export interface CompiledSumLimit {
  readonly name: string;
  /** Over `args`; yields the amount that the call adds: a whole number of at least 0. */
  readonly sum: Expression;
  /** Over `args`; `undefined` if every call counts. */
  readonly when: Expression | undefined;
  readonly atMost: number;
  /** `timeZone`: IANA name of the time zone that defines the day. */
  readonly per: { readonly span: "run" } | { readonly span: "day"; readonly timeZone: string };
  readonly otherwise: "review" | "fail";
}

/** Number of attempts and delays between them, in milliseconds. */
export interface RetryPolicy {
  readonly maxAttempts: number;
  readonly initialDelayMs: number;
  readonly maxDelayMs: number;
}

/** A compiled Condition node. */
export interface CompiledCondition {
  readonly kind: "condition";
  readonly id: string;
  readonly branches: readonly { readonly name: string; readonly when: Expression }[];
  readonly otherwise: string;
  /** Present if an agent answers with a branch's name. `branches` is then empty. */
  readonly question?: {
    readonly text: string;
    readonly answers: readonly { readonly name: string; readonly description: string | undefined }[];
    /** `undefined` if any answer counts. */
    readonly confidence: { readonly atLeast: number; readonly otherwise: "review" | "fail" } | undefined;
    readonly budget: NodeBudget;
    /**
     * The reviewers of an answer that is below the required confidence. Absent: any one person with the right to
     * review.
     */
    readonly answeredBy?: Reviewers;
  };
  /** The target of each branch, including `otherwise`. */
  readonly to: ReadonlyMap<string, string>;
}

/** The people who may decide, and the required number of approvals. People and roles are in their normal form. */
export interface Reviewers {
  readonly roles: readonly string[];
  readonly people: readonly string[];
  readonly approvals: number;
  readonly excludeStarter: boolean;
  /** Ids of the human_review nodes whose approvers may not decide. */
  readonly excludeApproversOf: readonly string[];
}

/** A compiled Human Review node. */
export interface CompiledHumanReview {
  readonly kind: "human_review";
  readonly id: string;
  /** Renders to a string. */
  readonly title: Template;
  readonly data: Template;
  readonly outputs: { readonly schema: JsonObject; readonly validator: SchemaValidator } | undefined;
  readonly reviewers: { readonly roles: readonly string[]; readonly people: readonly string[] };
  readonly approvals: number;
  readonly excludeStarter: boolean;
  readonly excludeApproversOf: readonly string[];
  readonly expiresAfterMs: number | undefined;
  /** The tool_call whose call is frozen when the review opens. */
  readonly covers: string | undefined;
  readonly to: string;
}
