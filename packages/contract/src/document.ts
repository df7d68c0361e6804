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
 * The procedure document: one schema for documents that a person writes, a builder saves and `publish` compiles. It checks
 * shape only; the compiler checks everything that needs the whole graph: edges, expressions, schemas, actions.
 */

const branchName = z.string().min(1).max(64).meta({ description: "A name that edges lead on from." });
const title = z.string().max(500).meta({
  description: "Title for people: of the node or, on a human review, of its question, there with `{{ }}` expressions.",
});
const id = nodeId.meta({ description: "Identifier within the document; expressions read the node as `nodes.<id>`." });

const startNode = z
  .strictObject({
    id,
    kind: z.literal("start").meta({ description: "Where a run begins; exactly one." }),
    title: title.optional(),
  })
  .meta({ id: "StartNode", title: "Start", description: "Where a run begins; exactly one." });

const endNode = z
  .strictObject({
    id,
    kind: z.literal("end").meta({ description: "Where a run completes." }),
    title: title.optional(),
    output: jsonObject.optional().meta({
      description: "Template of the run's output: JSON with `{{ }}` expressions in its texts. Default: `{}`.",
    }),
  })
  .meta({ id: "EndNode", title: "End", description: "Where a run completes." });

const guard = z.strictObject({
  check: z.string().meta({
    description: "A CEL expression over `args` beside the usual scope; it must be true for the call to be made.",
  }),
  otherwise: z
    .enum(["review", "fail"])
    .meta({ description: "The consequence where it is not true: a person decides, or the node fails." }),
});

const retry = z.strictObject({
  maxAttempts: z.int().min(1).max(20).optional().meta({ description: "How often a call is made in all. Default: 4." }),
  initialDelayMs: z
    .int()
    .min(0)
    .max(3_600_000)
    .optional()
    .meta({ description: "Delay before the second attempt, in milliseconds. Default: 1000." }),
  maxDelayMs: z
    .int()
    .min(0)
    .max(86_400_000)
    .optional()
    .meta({ description: "Longest delay between two attempts, in milliseconds. Default: 30000." }),
});

const timeZone = z
  .string()
  .min(1)
  .max(64)
  .meta({ description: 'IANA name of the zone whose days count, such as "Europe/Berlin".' });

/** Limits of the agent in one visit of a node. */
const nodeBudget = z.strictObject({
  modelCalls: z
    .int()
    .min(1)
    .max(1_000)
    .optional()
    .meta({ description: "Calls of the language model. Default: the limit of the run." }),
  tokens: z
    .int()
    .min(1)
    .max(100_000_000)
    .optional()
    .meta({ description: "Tokens of prompts and answers together. Default: the limit of the run." }),
});

/** Limits of one run, above those of its nodes. */
const runBudget = nodeBudget.extend({
  toolCalls: z.int().min(1).max(100_000).optional().meta({
    description:
      "Calls of actions, retries included, with mapped or proposed arguments; the engine's own limit stays above it.",
  }),
});

/** Limits of one day, shared by the agents of all runs. */
const dayBudget = z.strictObject({
  modelCalls: z.int().min(1).optional().meta({ description: "Calls of language models." }),
  tokens: z.int().min(1).optional().meta({ description: "Tokens of prompts and answers together." }),
  toolCalls: z
    .int()
    .min(1)
    .optional()
    .meta({ description: "Calls of actions, each counted once for all its attempts." }),
  timeZone,
});

/** A limit on the total that one node moves: a sum over its calls that no model and no argument can get around. */
const sumLimit = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z0-9][a-z0-9_-]{0,63}$/)
    .meta({ description: "Names the sum; a later version that keeps node and name continues it." }),
  sum: z.string().meta({
    description: "A CEL expression over `args` that yields a whole number of at least 0: the amount that a call adds.",
  }),
  when: z.string().optional().meta({
    description:
      "A CEL expression over `args`; a call for which it is false does not count. Default: every call counts.",
  }),
  atMost: z.int().min(0).meta({ description: "The limit of the sum." }),
  per: z.enum(["run", "day"]).meta({ description: "Whether the sum is of one run, or of all runs of a day." }),
  timeZone: timeZone.optional().meta({
    description: 'IANA name of the zone whose days count; needed with `"per": "day"`.',
  }),
  otherwise: z.enum(["review", "fail"]).optional().meta({
    description:
      'The consequence for a call that would exceed the sum: a person decides, or the node fails. Default: "fail".',
  }),
});

/** Who answers a question to people, and how many of them have to agree. */
const deciders = {
  reviewers: z
    .strictObject({
      roles: z.array(z.string().min(1).max(64)).max(50).optional().meta({ description: "Roles that may decide." }),
      people: z.array(z.string().min(1).max(256)).max(200).optional().meta({ description: "People who may decide." }),
    })
    .optional()
    .meta({ description: "Who may decide. Default: everyone with the permission to review." }),
  approvals: z
    .int()
    .min(1)
    .max(20)
    .optional()
    .meta({ description: "How many different people have to approve. Default: 1." }),
  excludeStarter: z
    .boolean()
    .optional()
    .meta({ description: "Whether the person who started the run may not decide. Default: false." }),
  excludeApproversOf: z.array(nodeId).min(1).max(20).optional().meta({
    description: "Human reviews that come before: a person who approved one of them in this run may not decide here.",
  }),
};

/** Who decides on the questions of a node's call. @defaultValue one person with the permission to review */
const nodeReview = z.strictObject(deciders);

const toolCallNode = z
  .strictObject({
    id,
    kind: z.literal("tool_call").meta({ description: "Calls an action of a connection." }),
    title: title.optional(),
    connection: connectionNameSchema.meta({
      description: "A connection's name, resolved in the environment of the run.",
    }),
    action: actionNameSchema.meta({ description: "The name of an action of the connection." }),
    arguments: jsonObject.optional().meta({
      description:
        "Mapped arguments: JSON with `{{ }}` expressions in its texts. With `instructions` beside them they are fixed, and the agent fills in the rest.",
    }),
    instructions: z
      .string()
      .min(1)
      .max(20_000)
      .optional()
      .meta({ description: "Tells an agent which arguments to propose for the call." }),
    guards: z
      .array(guard)
      .max(20)
      .optional()
      .meta({ description: "Conditions that the arguments have to meet before the call is made." }),
    retry: retry.optional().meta({ description: "How often and when a failed call is made again." }),
    timeoutMs: z.int().min(1).max(3_600_000).optional().meta({
      description: "Longest duration of one attempt, in milliseconds. Default: the action's own, else 60000.",
    }),
    onUnknownOutcome: z.enum(["review", "retry", "fail"]).optional().meta({
      description:
        'The consequence where the outcome of a `once` call is unknown: a person decides, the call is made again, or the run fails without the `error` branch. Default: that of the action ("retry" for messages), else "review".',
    }),
    maxCalls: z.int().min(1).max(50).optional().meta({
      description: "How often the agent may call the action in one visit; needs `instructions`. Default: 1.",
    }),
    budget: nodeBudget.optional().meta({ description: "Limits of the agent in one visit; needs `instructions`." }),
    sumLimits: z
      .array(sumLimit)
      .max(20)
      .optional()
      .meta({ description: "Limits of the amounts that the node's calls may move." }),
    review: nodeReview.optional().meta({
      description:
        "Who decides on the call's guards and sum limits, on a function that requires a review, and on an unknown outcome. Where a Human Review covers the call, its reviewers decide.",
    }),
    emit: z
      .strictObject({
        name: customEventNameSchema.meta({ description: "The event's name is `custom.` followed by this." }),
        data: jsonObject.optional().meta({ description: "Template of the event's payload. Default: `{}`." }),
      })
      .optional()
      .meta({ description: "A `custom.<name>` event that the success of the step emits." }),
  })
  .meta({ id: "ToolCallNode", title: "Tool call", description: "Calls an action of a connection." });

const conditionNode = z
  .strictObject({
    id,
    kind: z
      .literal("condition")
      .meta({ description: "Takes one of several branches, by expressions or by an agent's answer to a question." }),
    title: title.optional(),
    question: z.string().min(1).max(20_000).optional().meta({
      description:
        "Asked of an agent, which answers with the name of a branch; each branch then has a `description` in place of `when`.",
    }),
    branches: z
      .array(
        z.strictObject({
          name: branchName,
          when: z.string().optional().meta({
            description: "A CEL expression; the first branch for which it is true is taken.",
          }),
          description: z
            .string()
            .max(2_000)
            .optional()
            .meta({ description: "Tells the agent when to choose the branch." }),
        }),
      )
      .min(1)
      .max(50)
      .meta({ description: "The ways on, in the order in which they are tried." }),
    otherwise: branchName
      .optional()
      .meta({ description: "The branch that is taken when no condition is true; needed without a `question`." }),
    confidence: z
      .strictObject({
        atLeast: z.number().min(0).max(1).meta({ description: "From 0 to 1." }),
        otherwise: z.enum(["review", "fail"]).meta({
          description: "The consequence of an answer with a lower confidence: a person decides, or the node fails.",
        }),
      })
      .optional()
      .meta({
        description: "The required confidence of the agent's answer; needs `question`. Default: any answer counts.",
      }),
    review: nodeReview.optional().meta({
      description:
        'The reviewers of an answer with a lower confidence; needs `confidence` with `"otherwise": "review"`.',
    }),
    budget: nodeBudget.optional().meta({ description: "Limits of the agent in one visit; needs `question`." }),
  })
  .meta({
    id: "ConditionNode",
    title: "Condition",
    description: "Takes one of several branches, by expressions or by an agent's answer to a question.",
  });

const humanReviewNode = z
  .strictObject({
    id,
    kind: z.literal("human_review").meta({ description: "Asks people, and waits for their decision." }),
    title,
    data: jsonObject.optional().meta({ description: "Template of the data that the reviewer sees. Default: `{}`." }),
    outputs: jsonObject
      .optional()
      .meta({ description: "JSON Schema of the outputs that a decision may carry. Default: any object." }),
    ...deciders,
    expiresAfter: z.string().max(64).optional().meta({
      description: 'ISO 8601 duration after which the run fails, such as "P7D". Default: the review never expires.',
    }),
    covers: nodeId.optional().meta({
      description: "The id of a tool_call further on, whose call is frozen, shown and sent exactly as approved.",
    }),
  })
  .meta({ id: "HumanReviewNode", title: "Human review", description: "Asks people, and waits for their decision." });

const node = z.discriminatedUnion("kind", [startNode, endNode, toolCallNode, conditionNode, humanReviewNode]);

const edge = z
  .strictObject({
    from: nodeId.meta({ description: "The id of the node that the edge leaves." }),
    to: nodeId.meta({ description: "The id of the node that it leads to." }),
    branch: branchName
      .optional()
      .meta({ description: "A branch of a condition, or `error` or `rejected` of a tool_call." }),
  })
  .meta({ id: "ProcedureEdge", title: "Edge" });

/** Schema of {@link ProcedureDocument}, whose fields `document-types.ts` documents for editors. */
export const procedureDocumentSchema = z
  .strictObject({
    $schema: z.string().max(2_000).optional().meta({
      description: "Address of the JSON Schema, for editors. It is kept and has no effect on execution.",
    }),
    schemaVersion: z.literal(1).meta({ description: "The version of this format." }),
    procedureId: procedureIdSchema.meta({ description: "Identifies the procedure in addresses." }),
    name: z.string().min(1).max(200).meta({ description: "Name of the procedure, for people." }),
    description: z.string().max(5_000).optional().meta({ description: "Purpose of the procedure, for people." }),
    input: jsonObject.meta({ description: "JSON Schema of a run's `data`, which is an object." }),
    reference: z.string().min(1).max(500).optional().meta({
      description:
        "Template of the reference of a run, such as an invoice number, by which lists show and find it: over `input` and `run`, rendered at the start, at most 200 characters. Default: runs have no reference.",
    }),
    nodes: z
      .array(node)
      .min(2)
      .max(5_000)
      .meta({ description: "The steps: one start, one or more ends, others between." }),
    edges: z.array(edge).max(20_000).meta({ description: "The ways from node to node." }),
    budgets: z
      .strictObject({
        run: runBudget.optional().meta({
          description: "Of one run. Default: the limits of the engine, which apply in any case.",
        }),
        day: dayBudget.optional().meta({ description: "Of all runs of an environment in one day. Default: no bound." }),
      })
      .optional()
      .meta({ description: "Limits of all agents of the procedure, across every version." }),
  })
  .meta({
    id: "ProcedureDocument",
    title: "Procedure",
    description: "A Procedo procedure: a flowchart of nodes and the edges between them.",
  });
