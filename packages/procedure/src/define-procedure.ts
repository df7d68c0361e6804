import {
  checkOptionNames,
  kindOf,
  nearestName,
  ProcedoError,
  quotedValue,
  type ConditionNode,
  type EndNode,
  type HumanReviewNode,
  type JsonObject,
  type NodeReview,
  type OptionNames,
  type ProcedureBudgets,
  type ProcedureDocument,
  type ProcedureEdge,
  type StartNode,
  type ToolCallNode,
} from "@procedo/contract";

/**
 * A schema from a library that can convert it to JSON Schema (Standard JSON Schema, standardschema.dev), such as zod
 * 4.2 or later.
 */
export interface InputSchema<Input> {
  /** The members that Standard JSON Schema defines. */
  readonly "~standard": {
    /** The types of the schema's values. They have no value at run time. */
    readonly types?:
      | {
          /** The type of a value before the schema's defaults and transformations: a run's `data`. */
          readonly input: Input;
        }
      | undefined;
    /** The conversions to JSON Schema. */
    readonly jsonSchema: {
      /** Returns the JSON Schema of a value before the schema's defaults and transformations. */
      readonly input: (options: { readonly target: "draft-2020-12" }) => Record<string, unknown>;
    };
  };
}

/** A node as in the document, except that its key is its id and that its outgoing edges may be written at the node. */
export type NodeDefinition<Id extends string> =
  | (Omit<StartNode, "id"> & {
      /** The first node after the start. @defaultValue the edge is in `edges` */
      readonly next?: Id | undefined;
    })
  | Omit<EndNode, "id">
  | (Omit<ToolCallNode, "id" | "review"> & {
      /**
       * The people who answer the call's questions: about its guards and sum limits, about a function that requires a
       * review, and about an unknown outcome. Refused if a human_review `covers` the call, because the people who
       * approve it there answer. @defaultValue any one person with the permission to review
       */
      readonly review?: ReviewDefinition<Id> | undefined;
      /** The node after a successful call. @defaultValue the edge is in `edges` */
      readonly next?: Id | undefined;
      /**
       * The node after a failed call. Its expressions read `nodes.<id>.error`: the message, with `status`, `reason` and
       * `body`. @defaultValue the run fails
       */
      readonly onError?: Id | undefined;
      /** The node after a rejected call. @defaultValue the run fails */
      readonly onRejected?: Id | undefined;
    })
  | (Omit<ConditionNode, "id" | "review"> & {
      /**
       * The people who are asked about an answer below the required confidence; needs `confidence` with `otherwise:
       * "review"`. @defaultValue any one person with the permission to review
       */
      readonly review?: ReviewDefinition<Id> | undefined;
      /** The node after each branch, including `otherwise`. @defaultValue the edges are in `edges` */
      readonly next?: { readonly [branch: string]: Id } | undefined;
    })
  | (Omit<HumanReviewNode, "id" | "covers" | "excludeApproversOf"> & {
      /**
       * A later tool_call. Its call is rendered when the review opens, shown, and sent in exactly this form after the
       * approval. @defaultValue no call is covered
       */
      readonly covers?: Id | undefined;
      /**
       * Earlier human reviews, 1 to 20. People who approved one of them in this run, on any visit, may not decide here.
       * @defaultValue none
       */
      readonly excludeApproversOf?: readonly Id[] | undefined;
      /** The node after an approval. A rejection fails the run. @defaultValue the edge is in `edges` */
      readonly next?: Id | undefined;
    });

/** The reviewers of questions that a node raises beside its own work. */
export type ReviewDefinition<Id extends string> = Omit<NodeReview, "excludeApproversOf"> & {
  /**
   * Earlier human reviews, 1 to 20. People who approved one of them in this run, on any visit, may not decide here.
   * @defaultValue none
   */
  readonly excludeApproversOf?: readonly Id[] | undefined;
};

/** An edge of `defineProcedure`. */
export interface EdgeDefinition<Id extends string> {
  /** The node that the edge leaves. */
  readonly from: Id;
  /** The node that the edge leads to. */
  readonly to: Id;
  /** A branch of a condition, or `error` or `rejected` of a tool_call. @defaultValue the plain edge of the node */
  readonly branch?: string | undefined;
}

/** A procedure in code, as accepted by `defineProcedure`. */
export interface ProcedureDefinition<Id extends string, Input> {
  /** Identifies the procedure in addresses: 1 to 128 letters, digits, `.`, `_` and `-`, the first a letter or digit. */
  readonly procedureId: string;
  /** Name of the procedure, for people; 1 to 200 characters. */
  readonly name: string;
  /** Purpose of the procedure, for people; at most 5,000 characters. @defaultValue none */
  readonly description?: string | undefined;
  /** The schema of a run's `data`, an object: a zod schema or a JSON Schema. Its defaults complete the data. */
  readonly input: InputSchema<Input> | JsonObject;
  /**
   * Template of the reference of a run, such as an invoice number, by which lists show and find it: text with `{{ }}`
   * expressions over `input` and `run`, at most 500 characters. Rendered once, when the run starts, and cut at 200
   * characters. A value that is missing leaves the run without a reference. @defaultValue runs have no reference
   */
  readonly reference?: string | undefined;
  /**
   * The nodes by their ids: one start, one or more ends, others between; at most 5,000. An id has at most 64 letters,
   * digits and `_`.
   */
  readonly nodes: { readonly [Key in Id]: NodeDefinition<NoInfer<Id>> };
  /** Edges that are not written as `next`, `onError` or `onRejected`. @defaultValue none */
  readonly edges?: readonly EdgeDefinition<NoInfer<Id>>[];
  /**
   * Limits of all agents of the procedure and of its runs' calls, across every version.
   * @defaultValue the engine's limits per run
   */
  readonly budgets?: ProcedureBudgets | undefined;
}

const definitionNames = {
  procedureId: true,
  name: true,
  description: true,
  input: true,
  reference: true,
  nodes: true,
  edges: true,
  budgets: true,
} satisfies OptionNames<ProcedureDefinition<string, unknown>>;

type NodeOf<Kind> = Extract<NodeDefinition<string>, { readonly kind: Kind }>;

const nodeNames = {
  start: { kind: true, title: true, next: true } satisfies OptionNames<NodeOf<"start">>,
  end: { kind: true, title: true, output: true } satisfies OptionNames<NodeOf<"end">>,
  tool_call: {
    kind: true,
    title: true,
    connection: true,
    action: true,
    arguments: true,
    instructions: true,
    guards: true,
    retry: true,
    timeoutMs: true,
    onUnknownOutcome: true,
    maxCalls: true,
    budget: true,
    sumLimits: true,
    review: true,
    emit: true,
    next: true,
    onError: true,
    onRejected: true,
  } satisfies OptionNames<NodeOf<"tool_call">>,
  condition: {
    kind: true,
    title: true,
    question: true,
    branches: true,
    otherwise: true,
    confidence: true,
    review: true,
    budget: true,
    next: true,
  } satisfies OptionNames<NodeOf<"condition">>,
  human_review: {
    kind: true,
    title: true,
    data: true,
    outputs: true,
    reviewers: true,
    approvals: true,
    excludeStarter: true,
    excludeApproversOf: true,
    expiresAfter: true,
    covers: true,
    next: true,
  } satisfies OptionNames<NodeOf<"human_review">>,
};

declare const inputType: unique symbol;

/** A procedure document that carries the type of its runs' `data`. */
export type TypedProcedure<Input> = ProcedureDocument & {
  /** Exists only in types; never set. */
  readonly [inputType]?: Input;
};

/** The type of a run's `data`. */
export type InputOf<Procedure> = Procedure extends { readonly [inputType]?: infer Input }
  ? Exclude<Input, undefined>
  : never;

/**
 * Builds a procedure document in TypeScript: node ids, settings and the ends of edges are checked while typing, all the
 * rest when the document is published.
 *
 * @throws ProcedoError `invalid_document` for a name that neither a procedure nor the node's kind has, and when the input
 *   schema has no JSON Schema
 *
 * @example
 * ```ts
 * import { defineProcedure, z } from "@procedo/engine";
 *
 * const procedure = defineProcedure({
 *   procedureId: "vendor-payment",
 *   name: "Vendor payment",
 *   input: z.object({ vendorId: z.string(), amount: z.int().min(1) }),
 *   nodes: {
 *     start: { kind: "start", next: "size" },
 *     size: {
 *       kind: "condition",
 *       branches: [{ name: "large", when: "input.amount > 1000000" }],
 *       otherwise: "normal",
 *       next: { large: "approve", normal: "pay" },
 *     },
 *     approve: { kind: "human_review", title: "Pay {{ money(input.amount, 'EUR') }}?", covers: "pay", next: "pay" },
 *     pay: {
 *       kind: "tool_call",
 *       connection: "ledger",
 *       action: "post_payments",
 *       arguments: { vendorId: "{{ input.vendorId }}", amount: "{{ input.amount }}" },
 *       next: "done",
 *     },
 *     done: { kind: "end", output: { paymentId: "{{ nodes.pay.output.id }}" } },
 *   },
 * });
 * ```
 */
export function defineProcedure<const Id extends string, Input = JsonObject>(
  definition: ProcedureDefinition<Id, Input>,
): TypedProcedure<Input> {
  checkOptionNames("defineProcedure", definitionNames, definition, "invalid_document");
  if (typeof definition.nodes !== "object" || (definition.nodes as unknown) === null) {
    throw invalid(`The nodes of a procedure are ${kindOf(definition.nodes)}. Give an object of nodes by their ids.`);
  }
  const moreEdges: unknown = definition.edges ?? [];
  if (!Array.isArray(moreEdges)) {
    throw invalid(`The edges of a procedure are ${kindOf(moreEdges)}. Give a list of { from, to }, or leave them out.`);
  }
  const nodes: JsonObject[] = [];
  const edges: ProcedureEdge[] = [];
  for (const [id, node] of Object.entries<NodeDefinition<Id>>(definition.nodes)) {
    checkNode(id, node);
    const { next, onError, onRejected, ...settings } = {
      next: undefined,
      onError: undefined,
      onRejected: undefined,
      ...node,
    };
    nodes.push(withoutUndefined({ id, ...settings }) as JsonObject);
    edges.push(...edgesFrom(id, { "": next, error: onError, rejected: onRejected }));
  }
  const document = {
    schemaVersion: 1,
    procedureId: definition.procedureId,
    name: definition.name,
    description: definition.description,
    input: jsonSchemaOf(definition.input),
    reference: definition.reference,
    nodes,
    edges: [...edges, ...(definition.edges ?? [])],
    budgets: definition.budgets,
  };
  return withoutUndefined(document) as TypedProcedure<Input>;
}

/**
 * A string is the target of the plain edge (under the empty name) or of the branch. A record contains its own branches.
 */
function edgesFrom(
  from: string,
  ways: Readonly<Record<string, string | Readonly<Record<string, string>> | undefined>>,
): ProcedureEdge[] {
  return Object.entries(ways).flatMap(([branch, to]) => {
    if (to === undefined) return [];
    if (typeof to === "object" && (to as unknown) !== null && !Array.isArray(to)) return edgesFrom(from, to);
    if (typeof to !== "string") {
      const way = branch === "" ? "next" : `way "${branch}"`;
      throw invalid(`The node "${from}" has a ${way} that is ${kindOf(to)}. Give the id of a node, or leave it out.`);
    }
    return [branch === "" ? { from, to } : { from, branch, to }];
  });
}

function checkNode(id: string, node: unknown): void {
  const kind: unknown = typeof node === "object" && node !== null && "kind" in node ? node.kind : undefined;
  if (typeof kind !== "string" || !Object.hasOwn(nodeNames, kind)) {
    const hint = nearestName(typeof kind === "string" ? kind : "", Object.keys(nodeNames));
    throw invalid(`The node "${id}" is of the kind ${quotedValue(kind)}; ${hint}`);
  }
  checkOptionNames(`The node "${id}"`, nodeNames[kind as keyof typeof nodeNames], node, "invalid_document");
}

function invalid(message: string): ProcedoError {
  return new ProcedoError("invalid_document", message);
}

function jsonSchemaOf(input: InputSchema<unknown> | JsonObject): unknown {
  if (typeof input !== "object" || (input as unknown) === null) {
    throw invalid(`The input of a procedure is ${kindOf(input)}. Give z.object({ … }) or a JSON Schema.`);
  }
  if (!("~standard" in input)) return input;
  const { "~standard": standard } = input as InputSchema<unknown>;
  try {
    return standard.jsonSchema.input({ target: "draft-2020-12" });
  } catch (cause) {
    const message =
      "The input schema has no JSON Schema: use types that JSON can hold, such as z.iso.datetime() for z.date().";
    throw new ProcedoError("invalid_document", message, { cause });
  }
}

/** A copy without undefined fields, as in JSON. */
function withoutUndefined(value: unknown): unknown {
  if (Array.isArray(value)) return (value as readonly unknown[]).map(withoutUndefined);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  return Object.fromEntries(entries.map(([key, item]) => [key, withoutUndefined(item)]));
}
