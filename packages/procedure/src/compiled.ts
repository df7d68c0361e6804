import type { JsonObject, NodeBudget, ProcedureDocument, UnknownOutcomePolicy } from "@procedo/contract";
import type { Expression, Template } from "./expressions/expression.ts";
import type { SchemaValidator } from "./schemas/schema-validator.ts";

/** A published version, ready to execute: parsed once, immutable, shared by all its runs. */
export interface CompiledProcedure {
  /** The document as it was published. */
  readonly document: ProcedureDocument;
  /** Id of the Start node. */
  readonly startId: string;
  /** The nodes by id. */
  readonly nodes: ReadonlyMap<string, CompiledNode>;
  /** Validates the input of a run. */
  readonly input: SchemaValidator;
  /** Renders to the reference of a run, on its input and facts. Absent if runs have no reference. */
  readonly reference?: Template;
}

/** A compiled node, of one of the five kinds. */
export type CompiledNode = CompiledStart | CompiledEnd | CompiledToolCall | CompiledCondition | CompiledHumanReview;

/** The compiled Start node. */
export interface CompiledStart {
  readonly kind: "start";
  /** Id of the node. */
  readonly id: string;
  /** Id of the next node. */
  readonly to: string;
}

/** A compiled End node. */
export interface CompiledEnd {
  readonly kind: "end";
  /** Id of the node. */
  readonly id: string;
  /** Renders to the output of the run. */
  readonly output: Template;
}

/** A compiled Tool Call node. */
export interface CompiledToolCall {
  readonly kind: "tool_call";
  /** Id of the node. */
  readonly id: string;
  /** Title of the node for people. */
  readonly title: string | undefined;
  /** Name of the connection. */
  readonly connection: string;
  /** Name of the action. */
  readonly action: string;
  /** The mapped arguments. With an `agent` they are fixed, and the agent proposes the rest. */
  readonly arguments: Template;
  /** Present if an agent proposes arguments. An executor without an agent must refuse the node. */
  readonly agent?: {
    /** The task of the agent. */
    readonly instructions: string;
    /** How often the agent may call the action in one visit. */
    readonly maxCalls: number;
    /** Limits of the agent in one visit. */
    readonly budget: NodeBudget;
    /**
     * The paths that each mapped argument reads (`input.vendorId`), by argument name. Empty for an argument that is
     * constant in the document.
     */
    readonly fixed: ReadonlyMap<string, readonly string[]>;
  };
  /** Conditions that the arguments have to meet before the call is made. */
  readonly guards: readonly CompiledGuard[];
  /** Limits on the sums of the node's calls. */
  readonly sumLimits: readonly CompiledSumLimit[];
  /** Number of attempts and delays between them. */
  readonly retry: RetryPolicy;
  /** Time limit of one attempt, in milliseconds; `undefined`: the action's own. */
  readonly timeoutMs: number | undefined;
  /** Reaction to an unknown outcome of a `once` call; `undefined`: that of the action, else a review. */
  readonly onUnknownOutcome: UnknownOutcomePolicy | undefined;
  /** The event that the success of the step emits; `undefined` if it emits none. */
  readonly emit:
    | {
        /** The event is `custom.<name>`. */
        readonly name: string;
        /** Renders to the event's payload. */
        readonly data: Template;
      }
    | undefined;
  /** Id of the next node. */
  readonly to: string;
  /** Id of the node after a failed call; `undefined`: the run fails. */
  readonly onError: string | undefined;
  /** Id of the node after a rejected call; `undefined`: the run fails. */
  readonly onRejected: string | undefined;
  /**
   * The reviewers of this call's questions: the approvers of the review that covers it, so that a question is no easier
   * way to the same call; otherwise those whom the node names. Absent: any one person with the right to review.
   */
  readonly answeredBy?: Reviewers;
}

/** A compiled guard of a call. */
export interface CompiledGuard {
  /** Over `args`; has to be true for the call to be made. */
  readonly check: Expression;
  /** Consequence if it is false: a person decides, or the step fails. */
  readonly otherwise: "review" | "fail";
}

/** A limit on a sum over the node's calls. */
export interface CompiledSumLimit {
  /** Name of the sum. A later version that keeps the node's id and the name continues the sum. */
  readonly name: string;
  /** Over `args`; yields the amount that the call adds: a whole number of at least 0. */
  readonly sum: Expression;
  /** Over `args`; `undefined` if every call counts. */
  readonly when: Expression | undefined;
  /** The most that the sum may reach. */
  readonly atMost: number;
  /** `timeZone`: IANA name of the time zone that defines the day. */
  readonly per:
    | { readonly span: "run" }
    | {
        readonly span: "day";
        /** IANA name of the time zone that defines the day. */
        readonly timeZone: string;
      };
  /** Consequence of a call that would exceed the sum: a person decides, or the step fails. */
  readonly otherwise: "review" | "fail";
}

/** Number of attempts and delays between them, in milliseconds. */
export interface RetryPolicy {
  /** Number of attempts in all. */
  readonly maxAttempts: number;
  /** Delay before the second attempt, in milliseconds. */
  readonly initialDelayMs: number;
  /** Longest delay between two attempts, in milliseconds. */
  readonly maxDelayMs: number;
}

/** A compiled Condition node. */
export interface CompiledCondition {
  readonly kind: "condition";
  /** Id of the node. */
  readonly id: string;
  /** The branches, in the order in which they are tried. */
  readonly branches: readonly {
    /** Name of the branch. */
    readonly name: string;
    /** The first branch for which it is true is taken. */
    readonly when: Expression;
  }[];
  /** The branch that is taken if no expression is true. */
  readonly otherwise: string;
  /** Present if an agent answers with a branch's name. `branches` is then empty. */
  readonly question?: {
    /** The question to the agent. */
    readonly text: string;
    /** The possible answers. */
    readonly answers: readonly {
      /** Name of the branch. */
      readonly name: string;
      /** Tells the agent when the branch is the right one. */
      readonly description: string | undefined;
    }[];
    /** `undefined` if any answer counts. */
    readonly confidence:
      | {
          /** Lowest confidence of an answer that counts, from 0 to 1. */
          readonly atLeast: number;
          /** Consequence of an answer below it: a person decides, or the step fails. */
          readonly otherwise: "review" | "fail";
        }
      | undefined;
    /** Limits of the agent in one visit. */
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
  /** Roles that may decide. */
  readonly roles: readonly string[];
  /** People who may decide. Without roles and people, everyone with the permission to review. */
  readonly people: readonly string[];
  /** Number of different people who have to approve. */
  readonly approvals: number;
  /** Whether the person who started the run may not decide. */
  readonly excludeStarter: boolean;
  /** Ids of the human_review nodes whose approvers may not decide. */
  readonly excludeApproversOf: readonly string[];
}

/** A compiled Human Review node. */
export interface CompiledHumanReview {
  readonly kind: "human_review";
  /** Id of the node. */
  readonly id: string;
  /** Renders to a string. */
  readonly title: Template;
  /** Renders to the data that the reviewer sees. */
  readonly data: Template;
  /** The schema of an approval's outputs; `undefined`: any object. */
  readonly outputs:
    | {
        /** JSON Schema of the outputs. */
        readonly schema: JsonObject;
        /** Validates the outputs. */
        readonly validator: SchemaValidator;
      }
    | undefined;
  /** The people who may decide. */
  readonly reviewers: {
    /** Roles that may decide. */
    readonly roles: readonly string[];
    /** People who may decide. Without roles and people, everyone with the permission to review. */
    readonly people: readonly string[];
  };
  /** Number of different people who have to approve. */
  readonly approvals: number;
  /** Whether the person who started the run may not decide. */
  readonly excludeStarter: boolean;
  /** Ids of the human_review nodes whose approvers may not decide. */
  readonly excludeApproversOf: readonly string[];
  /** Time after which the review expires, in milliseconds; `undefined`: never. */
  readonly expiresAfterMs: number | undefined;
  /** The tool_call whose call is frozen when the review opens. */
  readonly covers: string | undefined;
  /** Id of the node after an approval. */
  readonly to: string;
}
