import * as z from "zod";
import {
  actionNameSchema,
  connectionNameSchema,
  customEventNameSchema,
  nodeIdSchema as nodeId,
  procedureIdSchema,
} from "./identifiers.ts";
import { jsonObjectSchema as jsonObject } from "./json.ts";

/**
 * The procedure document: one schema for what a person writes, a builder saves and `publish` compiles. It checks shape
 * only; what needs the whole graph (edges, expressions, schemas, actions) is the compiler's.
 */

const branchName = z.string().min(1).max(64);
const title = z.string().max(500);

const startNode = z
  .strictObject({ id: nodeId, kind: z.literal("start"), title: title.optional() })
  .meta({ id: "StartNode" });

const endNode = z
  .strictObject({
    id: nodeId,
    kind: z.literal("end"),
    title: title.optional(),
    /** Template of the run's output. @defaultValue `{}` */
    output: jsonObject.optional(),
  })
  .meta({ id: "EndNode" });

const guard = z.strictObject({
  /** A CEL expression over `args` beside the usual scope; must be true for the call to be made. */
  check: z.string(),
  otherwise: z.enum(["review", "fail"]),
});

const retry = z.strictObject({
  /** How often a call is made in all. @defaultValue 4 */
  maxAttempts: z.int().min(1).max(20).optional(),
  /** @defaultValue 1000 */
  initialDelayMs: z.int().min(0).max(3_600_000).optional(),
  /** @defaultValue 30000 */
  maxDelayMs: z.int().min(0).max(86_400_000).optional(),
});

const timeZone = z.string().min(1).max(64);

/** What the agent may use in one visit of a node. */
const nodeBudget = z.strictObject({
  /** @defaultValue those of the run */
  modelCalls: z.int().min(1).max(1_000).optional(),
  /** Of prompts and answers together. @defaultValue those of the run */
  tokens: z.int().min(1).max(100_000_000).optional(),
});

/** What one run may use, whatever its nodes are allowed. */
const runBudget = nodeBudget.extend({
  toolCalls: z.int().min(1).max(100_000).optional().meta({
    description:
      "Calls of actions, retries included, whoever proposed their arguments; the engine's own limit stays above it.",
  }),
});

/** What the agents of many runs may use together in one day. */
const dayBudget = z.strictObject({
  modelCalls: z.int().min(1).optional(),
  /** Of prompts and answers together. */
  tokens: z.int().min(1).optional(),
  toolCalls: z.int().min(1).optional(),
  /** IANA name of the zone whose days count. */
  timeZone,
});

/** What one node may move in all: a sum over its calls that no model and no argument can get around. */
const sumLimit = z.strictObject({
  /** Names the sum; a later version that keeps node and name goes on with it. */
  name: z.string().regex(/^[a-z0-9][a-z0-9_-]{0,63}$/),
  /** A CEL expression over `args` that yields a whole number of at least 0: what a call adds. */
  sum: z.string(),
  /** A CEL expression over `args`; a call for which it does not hold does not count. @defaultValue every call counts */
  when: z.string().optional(),
  atMost: z.int().min(0),
  per: z.enum(["run", "day"]),
  /** IANA name of the zone whose days count; needed with `per: "day"`. */
  timeZone: timeZone.optional(),
  /** What becomes of a call that would exceed the sum: a person decides, or the node fails. @defaultValue "fail" */
  otherwise: z.enum(["review", "fail"]).optional(),
});

/** Who answers a question to people, and how many of them have to agree. */
const deciders = {
  reviewers: z
    .strictObject({
      roles: z.array(z.string().min(1).max(64)).max(50).optional(),
      people: z.array(z.string().min(1).max(256)).max(200).optional(),
    })
    .optional(),
  /** How many different people have to approve. @defaultValue 1 */
  approvals: z.int().min(1).max(20).optional(),
  /** Whether the person who started the run may not decide. @defaultValue false */
  excludeStarter: z.boolean().optional(),
  excludeApproversOf: z.array(nodeId).min(1).max(20).optional().meta({
    description: "Human reviews that come before: a person who approved one of them in this run may not decide here.",
  }),
};

/** Who answers what a node asks of people beside its own work. @defaultValue everybody who may review, one of them */
const nodeReview = z.strictObject(deciders);

const toolCallNode = z
  .strictObject({
    id: nodeId,
    kind: z.literal("tool_call"),
    title: title.optional(),
    /** A connection's name, resolved in the run's environment. */
    connection: connectionNameSchema,
    action: actionNameSchema,
    /** Mapped arguments; with `instructions` beside them they are fixed and the agent fills the rest. */
    arguments: jsonObject.optional(),
    instructions: z.string().min(1).max(20_000).optional(),
    guards: z.array(guard).max(20).optional(),
    retry: retry.optional(),
    /** How long one attempt may take. @defaultValue the action's own, else 60000 */
    timeoutMs: z.int().min(1).max(3_600_000).optional(),
    /** What happens when a `once` call may have been made and its answer is not known. @defaultValue "review" */
    onUnknownOutcome: z.enum(["review", "retry", "fail"]).optional(),
    /** How often the agent may call the action in one visit; needs `instructions`. @defaultValue 1 */
    maxCalls: z.int().min(1).max(50).optional(),
    /** What the agent may use; needs `instructions`. */
    budget: nodeBudget.optional(),
    /** What the node may move in all. */
    sumLimits: z.array(sumLimit).max(20).optional(),
    review: nodeReview.optional().meta({
      description:
        "Who answers what the call asks: its guards and sums, a function that requires a review, an outcome that nobody knows. Not where a Human Review covers the call: then its people answer.",
    }),
    /** A `custom.<name>` event that the step's success emits. */
    emit: z.strictObject({ name: customEventNameSchema, data: jsonObject.optional() }).optional(),
  })
  .meta({ id: "ToolCallNode" });

const conditionNode = z
  .strictObject({
    id: nodeId,
    kind: z.literal("condition"),
    title: title.optional(),
    /** Asked of the agent, which answers with a branch's name; the branches then carry descriptions. */
    question: z.string().min(1).max(20_000).optional(),
    branches: z
      .array(
        z.strictObject({
          name: branchName,
          when: z.string().optional(),
          description: z.string().max(2_000).optional(),
        }),
      )
      .min(1)
      .max(50),
    otherwise: branchName.optional(),
    /** How sure the agent has to be of its answer; needs `question`. @defaultValue any answer counts */
    confidence: z
      .strictObject({
        atLeast: z.number().min(0).max(1),
        /** What becomes of an answer that is less sure: a person decides, or the node fails. */
        otherwise: z.enum(["review", "fail"]),
      })
      .optional(),
    review: nodeReview.optional().meta({
      description:
        'Who is asked about an answer that is not sure enough; needs `confidence` with `"otherwise": "review"`.',
    }),
    /** What the agent may use; needs `question`. */
    budget: nodeBudget.optional(),
  })
  .meta({ id: "ConditionNode" });

const humanReviewNode = z
  .strictObject({
    id: nodeId,
    kind: z.literal("human_review"),
    title,
    /** Template of what the reviewer sees. @defaultValue `{}` */
    data: jsonObject.optional(),
    /** JSON Schema of the outputs that a decision may carry. @defaultValue any object */
    outputs: jsonObject.optional(),
    ...deciders,
    /** ISO 8601 duration after which the run fails. @defaultValue none: the review waits for ever */
    expiresAfter: z.string().max(64).optional(),
    /** A tool_call further on whose call is frozen, shown and sent exactly as approved. */
    covers: nodeId.optional(),
  })
  .meta({ id: "HumanReviewNode" });

const node = z.discriminatedUnion("kind", [startNode, endNode, toolCallNode, conditionNode, humanReviewNode]);

const edge = z
  .strictObject({
    from: nodeId,
    to: nodeId,
    /** A condition's branch, or `error` or `rejected` of a tool_call. */
    branch: branchName.optional(),
  })
  .meta({ id: "ProcedureEdge" });

export const procedureDocumentSchema = z
  .strictObject({
    schemaVersion: z.literal(1),
    procedureId: procedureIdSchema,
    name: z.string().min(1).max(200),
    description: z.string().max(5_000).optional(),
    /** JSON Schema of a run's `data`. */
    input: jsonObject,
    nodes: z.array(node).min(2).max(5_000),
    edges: z.array(edge).max(20_000),
    /** What all runs of the procedure's agent may use, whatever the version. */
    budgets: z
      .strictObject({
        /** Of one run. @defaultValue the engine's limits, which stay above it */
        run: runBudget.optional(),
        /** Of all runs of an environment in one day. @defaultValue no bound */
        day: dayBudget.optional(),
      })
      .optional(),
  })
  .meta({ id: "ProcedureDocument" });

export type ProcedureDocument = z.infer<typeof procedureDocumentSchema>;
export type ProcedureNode = z.infer<typeof node>;
export type NodeKind = ProcedureNode["kind"];
export type StartNode = z.infer<typeof startNode>;
export type EndNode = z.infer<typeof endNode>;
export type ToolCallNode = z.infer<typeof toolCallNode>;
export type ConditionNode = z.infer<typeof conditionNode>;
export type HumanReviewNode = z.infer<typeof humanReviewNode>;
export type ProcedureEdge = z.infer<typeof edge>;
export type NodeBudget = z.infer<typeof nodeBudget>;
export type NodeReview = z.infer<typeof nodeReview>;
export type SumLimit = z.infer<typeof sumLimit>;
export type ProcedureBudgets = NonNullable<ProcedureDocument["budgets"]>;
export type UnknownOutcomePolicy = NonNullable<ToolCallNode["onUnknownOutcome"]>;
