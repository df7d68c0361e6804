import type { JsonObject, NodeBudget, ProcedureDocument, UnknownOutcomePolicy } from "@procedo/contract";
import type { Expression, Template } from "./expressions/expression.ts";
import type { SchemaValidator } from "./schemas/schema-validator.ts";

/** A published version, ready to run: parsed once, immutable, shared by all its runs. */
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
  /** The mapped arguments; with an `agent` they are fixed and it proposes the rest. */
  readonly arguments: Template;
  /** Present when an agent proposes arguments; whoever runs the node without one must refuse it. */
  readonly agent?: {
    readonly instructions: string;
    readonly maxCalls: number;
    readonly budget: NodeBudget;
    /** What each mapped argument reads of the run (`input.vendorId`), by its name; nothing where it is the document's own. */
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
   * Who answers what this call asks: those who approve it where a review covers it, so that no question is an easier way to
   * the same call, else those whom the node names. Left out: everybody who may review, one of them.
   */
  readonly answeredBy?: Reviewers;
}

/** A compiled guard of a call. */
export interface CompiledGuard {
  readonly check: Expression;
  readonly otherwise: "review" | "fail";
}

/** A sum over the node's calls that may not be exceeded. */
export interface CompiledSumLimit {
  readonly name: string;
  /** Over `args`; yields what the call adds: a whole number of at least 0. */
  readonly sum: Expression;
  /** Over `args`; `undefined`: every call counts. */
  readonly when: Expression | undefined;
  readonly atMost: number;
  /** `timeZone`: IANA name of the zone whose days count. */
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
  /** Present when an agent answers with a branch's name; there are then no `branches` to evaluate. */
  readonly question?: {
    readonly text: string;
    readonly answers: readonly { readonly name: string; readonly description: string | undefined }[];
    /** `undefined`: any answer counts. */
    readonly confidence: { readonly atLeast: number; readonly otherwise: "review" | "fail" } | undefined;
    readonly budget: NodeBudget;
    /** Who is asked about an answer that is not sure enough. Left out: everybody who may review, one of them. */
    readonly answeredBy?: Reviewers;
  };
  /** Where each branch leads, `otherwise` among them. */
  readonly to: ReadonlyMap<string, string>;
}

/** Who may decide, and how many have to. People and roles in their normal form. */
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
