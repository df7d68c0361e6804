import type { JsonObject } from "./json.ts";

/**
 * The types of a procedure document, written out so that an editor shows the meaning of each field. `document.ts` has
 * the schemas; `document-types.test-d.ts` holds both equal.
 */

/** A procedure as a person writes it, a draft keeps it and a version publishes it: its schemas, nodes and edges. */
export interface ProcedureDocument {
  /** Address of the JSON Schema, for editors. The service stores it and never reads it. */
  $schema?: string | undefined;
  /** The version of this format. */
  schemaVersion: 1;
  /** Identifies the procedure in addresses: 1 to 128 letters, digits, `.`, `_` and `-`, the first a letter or digit. */
  procedureId: string;
  /** Name of the procedure, for people; 1 to 200 characters. */
  name: string;
  /** Purpose of the procedure, for people; at most 5,000 characters. */
  description?: string | undefined;
  /** JSON Schema of a run's `data`, which is an object. Its defaults complete the data. */
  input: JsonObject;
  /**
   * Template of the reference of a run, such as an invoice number, by which lists show and find it: text with `{{ }}`
   * expressions over `input` and `run`, at most 500 characters. Rendered once, when the run starts, and cut at 200
   * characters. A value that is missing leaves the run without a reference. @defaultValue runs have no reference
   */
  reference?: string | undefined;
  /** The steps: one start, one or more ends, others between; at most 5,000. */
  nodes: ProcedureNode[];
  /** The ways from node to node; at most 20,000. */
  edges: ProcedureEdge[];
  /** Limits of all agents of the procedure and of its runs' calls, across every version. @defaultValue none */
  budgets?: ProcedureBudgets | undefined;
}

/** A node of a document, of one of the five kinds. */
export type ProcedureNode = StartNode | EndNode | ToolCallNode | ConditionNode | HumanReviewNode;

/** The five kinds of nodes: `start`, `tool_call`, `condition`, `human_review`, `end`. */
export type NodeKind = ProcedureNode["kind"];

/** The Start node of a document, where every run begins. */
export interface StartNode {
  /** Identifier within the document: at most 64 letters, digits and `_`. Expressions read the node as `nodes.<id>`. */
  id: string;
  /** The node at which a run begins; exactly one. */
  kind: "start";
  /** Title of the node for people; at most 500 characters. */
  title?: string | undefined;
}

/** An End node of a document. A run completes at it with its `output`. */
export interface EndNode {
  /** Identifier within the document: at most 64 letters, digits and `_`. Expressions read the node as `nodes.<id>`. */
  id: string;
  /** A node at which a run completes. */
  kind: "end";
  /** Title of the node for people; at most 500 characters. */
  title?: string | undefined;
  /** Template of the run's output: JSON with `{{ }}` expressions in its texts. @defaultValue `{}` */
  output?: JsonObject | undefined;
}

/**
 * A Tool Call node of a document. It calls an action of a connection with mapped arguments, or with those of an agent.
 * Besides its plain edge it may have the edges `error` and `rejected`.
 */
export interface ToolCallNode {
  /** Identifier within the document: at most 64 letters, digits and `_`. Expressions read the node as `nodes.<id>`. */
  id: string;
  /** Calls an action of a connection. */
  kind: "tool_call";
  /** Title of the node for people; at most 500 characters. */
  title?: string | undefined;
  /** Name of the connection. It is found in the run's environment. */
  connection: string;
  /** Name of an action of the connection. */
  action: string;
  /**
   * The mapped arguments: JSON with `{{ }}` expressions in its texts. They are checked against the action's schema, at
   * publish as far as they are known, and always before the call. Null for an optional argument counts as left out.
   * With `instructions` they are fixed, and the agent proposes the others. @defaultValue `{}`
   */
  arguments?: JsonObject | undefined;
  /**
   * The task of the agent that proposes the arguments; 1 to 20,000 characters, no template. Required arguments that are
   * not mapped are left to the agent. @defaultValue no agent
   */
  instructions?: string | undefined;
  /** Conditions that the arguments have to meet before the call is made; at most 20. @defaultValue none */
  guards?:
    | {
        /** A CEL expression over `args` beside the usual scope. It has to be true for the call to be made. */
        check: string;
        /**
         * Consequence if `check` is false. `"review"`: a person sees the call and can let exactly this call through.
         * `"fail"`: the step fails.
         */
        otherwise: "review" | "fail";
      }[]
    | undefined;
  /**
   * Repetition of calls that surely did not arrive, and of `read` and `idempotent` actions. The delay doubles from
   * `initialDelayMs` to `maxDelayMs`, with jitter. `Retry-After` is honoured, up to a day. A wait of more than an hour
   * does not count as an attempt, up to seven times.
   */
  retry?:
    | {
        /** Number of attempts in all, 1 to 20. @defaultValue 4 */
        maxAttempts?: number | undefined;
        /** Delay before the second attempt, in milliseconds; 0 to 3,600,000. @defaultValue 1000 */
        initialDelayMs?: number | undefined;
        /** Longest delay between two attempts, in milliseconds; 0 to 86,400,000. @defaultValue 30000 */
        maxDelayMs?: number | undefined;
      }
    | undefined;
  /** Time limit of one attempt, in milliseconds; 1 to 3,600,000. @defaultValue the action's own, else 60000 */
  timeoutMs?: number | undefined;
  /**
   * Reaction to an unknown outcome of a `once` call. `"review"` asks a person, `"retry"` calls again with the same key
   * while the service keeps the key, `"fail"` ends the run as failed. The `error` edge is not taken, because it may
   * lead to a second payment. @defaultValue that of the action (`"retry"` for messages), else `"review"`
   */
  onUnknownOutcome?: "review" | "retry" | "fail" | undefined;
  /**
   * How often the agent may call the action in one visit, 1 to 50; needs `instructions`. With more than 1 the agent is
   * told the result of each call and says itself when it is done. @defaultValue 1
   */
  maxCalls?: number | undefined;
  /** Limits of the agent in one visit; needs `instructions`. @defaultValue the limits of the run */
  budget?: NodeBudget | undefined;
  /** Limits on the amounts that all calls of the node may add up to; at most 20. @defaultValue none */
  sumLimits?: SumLimit[] | undefined;
  /**
   * The people who answer the call's questions: about its guards and sum limits, about a function that requires a
   * review, and about an unknown outcome. Refused if a human_review `covers` the call, because the people who approve
   * it there answer. @defaultValue any one person with the permission to review
   */
  review?: NodeReview | undefined;
  /** Event for webhooks, sent when the step has succeeded. @defaultValue none */
  emit?:
    | {
        /** The event is `custom.<name>`; at most 64 letters, digits, `.`, `_` and `-`. */
        name: string;
        /** Template of the event's payload. @defaultValue `{}` */
        data?: JsonObject | undefined;
      }
    | undefined;
}

/** A Condition node of a document: its cases are judged in order, or an agent answers its question. */
export interface ConditionNode {
  /** Identifier within the document: at most 64 letters, digits and `_`. Expressions read the node as `nodes.<id>`. */
  id: string;
  /** Takes one of several branches, by expressions or by an agent's answer to a question. */
  kind: "condition";
  /** Title of the node for people; at most 500 characters. */
  title?: string | undefined;
  /**
   * Asked of an agent, which answers with the name of a branch and a reason; 1 to 20,000 characters. Each branch then
   * has a `description` in place of `when`. @defaultValue no agent: the branches' expressions decide
   */
  question?: string | undefined;
  /** The branches, 1 to 50, in the order in which they are tried. Each has an edge of its name. */
  branches: {
    /** Name of the branch and of its edge; 1 to 64 characters. */
    name: string;
    /** A CEL expression. The first branch for which it is true is taken. */
    when?: string | undefined;
    /** Tells the agent when the branch is the right one; at most 2,000 characters. */
    description?: string | undefined;
  }[];
  /** The branch that is taken if no `when` is true; required without a `question`. */
  otherwise?: string | undefined;
  /** The confidence that an agent's answer needs; needs `question`. @defaultValue any answer counts */
  confidence?:
    | {
        /** Lowest confidence of an answer that counts, from 0 to 1. */
        atLeast: number;
        /**
         * Consequence of an answer below it. `"review"`: a person approves the proposed branch or names another in
         * `outputs`. `"fail"`: the step fails.
         */
        otherwise: "review" | "fail";
      }
    | undefined;
  /**
   * The people who are asked about an answer below the required confidence; needs `confidence` with
   * `"otherwise": "review"`. @defaultValue any one person with the permission to review
   */
  review?: NodeReview | undefined;
  /** Limits of the agent in one visit; needs `question`. @defaultValue the limits of the run */
  budget?: NodeBudget | undefined;
}

/** The people who decide on a call's guards, limits and unknown outcomes, and the number of approvals required. */
export interface NodeReview {
  /** The people who may decide: any of these roles or people. @defaultValue everyone with the permission to review */
  reviewers?:
    | {
        /** Roles that may decide; at most 50. @defaultValue none */
        roles?: string[] | undefined;
        /** People who may decide; at most 200. @defaultValue none */
        people?: string[] | undefined;
      }
    | undefined;
  /** Number of different people who have to approve, 1 to 20. One rejection ends the review. @defaultValue 1 */
  approvals?: number | undefined;
  /**
   * Whether the person who started the run may not decide. A key counts as the person for whom it was made.
   * @defaultValue false
   */
  excludeStarter?: boolean | undefined;
  /**
   * Ids of earlier human reviews, 1 to 20. People who approved one of them in this run, on any visit, may not decide
   * here. @defaultValue none
   */
  excludeApproversOf?: string[] | undefined;
}

/** A Human Review node of a document. A run pauses at it until enough people have decided. */
export interface HumanReviewNode extends NodeReview {
  /** Identifier within the document: at most 64 letters, digits and `_`. Expressions read the node as `nodes.<id>`. */
  id: string;
  /** Asks people, and waits for their decision. */
  kind: "human_review";
  /** The question to the reviewer, with `{{ }}` expressions; at most 500 characters. */
  title: string;
  /** Template of the data that the reviewer sees; at most 256 KiB. @defaultValue `{}` */
  data?: JsonObject | undefined;
  /**
   * JSON Schema of the outputs of an approval, which become the node's output. Without outputs the node's output is
   * `{ "approved": true }`. If the schema requires a member, the first approval has to bring it, or is refused with
   * 422. A later approval may replace it. @defaultValue any object
   */
  outputs?: JsonObject | undefined;
  /** ISO 8601 duration after which the run fails, such as `"P7D"`. @defaultValue the review never expires */
  expiresAfter?: string | undefined;
  /**
   * Id of a later tool_call. Its call is rendered when the review opens, shown, and sent in exactly this form after the
   * approval. @defaultValue no call is covered
   */
  covers?: string | undefined;
}

/** An edge of a document, from one node to another, with the branch that it belongs to. */
export interface ProcedureEdge {
  /** Id of the node that the edge leaves. */
  from: string;
  /** Id of the node that the edge leads to. */
  to: string;
  /** A branch of a condition, or `error` or `rejected` of a tool_call. @defaultValue the plain edge of the node */
  branch?: string | undefined;
}

/** Limits on the model calls and tokens of one visit of a node. */
export interface NodeBudget {
  /** Calls of the language model, 1 to 1,000. @defaultValue the limit of the run */
  modelCalls?: number | undefined;
  /** Tokens of prompts and answers together, 1 to 100,000,000. @defaultValue the limit of the run */
  tokens?: number | undefined;
}

/** A limit on the sum of the amounts that a node's calls move, per run or per day. */
export interface SumLimit {
  /**
   * Name of the sum: lower-case letters, digits, `_` and `-`, at most 64. A later version that keeps the node's id and
   * the name continues the sum, with its own `atMost`.
   */
  name: string;
  /**
   * The amount that a call adds: a CEL expression over `args` that gives a whole number from 0 to 9007199254740991,
   * such as an amount in minor units. Any other value fails the step.
   */
  sum: string;
  /** The calls that count: a CEL expression over `args`. @defaultValue every call counts */
  when?: string | undefined;
  /** The most that the sum may reach. A call that just fits is made. */
  atMost: number;
  /**
   * `"run"`: each run has a sum of its own, over all visits of the node. `"day"`: all runs of an environment share the
   * sum of a day.
   */
  per: "run" | "day";
  /**
   * Required with `"day"`: the time zone of the days, by its IANA name, such as `"Europe/Berlin"`. The day of a call is
   * the date there when the call is decided on. Its retries count towards the same day.
   */
  timeZone?: string | undefined;
  /**
   * Consequence of a call that would exceed the sum. `"fail"`: the step fails. `"review"`: a person sees every limit
   * with the amount taken and the amount requested, and may let exactly this call exceed those that say `"review"`.
   * @defaultValue `"fail"`
   */
  otherwise?: "review" | "fail" | undefined;
}

/** Limits on the model calls, tokens and tool calls of one run and of one day. */
export interface ProcedureBudgets {
  /** Limits of one run. Using one up ends the run. @defaultValue the limits of the engine, which apply in any case */
  run?:
    | {
        /** Calls of language models, 1 to 1,000. @defaultValue the limit of the engine */
        modelCalls?: number | undefined;
        /** Tokens of prompts and answers together, 1 to 100,000,000. @defaultValue the limit of the engine */
        tokens?: number | undefined;
        /**
         * Calls of actions, 1 to 100,000, retries included, with arguments of any origin.
         * @defaultValue the limit of the engine
         */
        toolCalls?: number | undefined;
      }
    | undefined;
  /** Limits of all runs of an environment in one day together. A step that finds no room fails. @defaultValue none */
  day?:
    | {
        /** Calls of language models, at least 1. @defaultValue no limit */
        modelCalls?: number | undefined;
        /** Tokens of prompts and answers together, at least 1. @defaultValue no limit */
        tokens?: number | undefined;
        /**
         * Calls of actions, at least 1. A call counts once for all its attempts, and not if it surely was not made.
         * @defaultValue no limit
         */
        toolCalls?: number | undefined;
        /** Time zone of the days, by its IANA name, such as `"Europe/Berlin"`. */
        timeZone: string;
      }
    | undefined;
}

/** The consequence of a `once` call with an unknown outcome: `review`, `retry` or `fail`. */
export type UnknownOutcomePolicy = NonNullable<ToolCallNode["onUnknownOutcome"]>;
