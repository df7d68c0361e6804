import type { LanguageModelV3, LanguageModelV4 } from "@ai-sdk/provider";
import { checkOptionNames, kindOf, ProcedoError, quotedValue, type OptionNames } from "@procedo/contract";

/** A language model of the AI SDK, of any provider; the packages `@ai-sdk/…` create one. */
export type LanguageModel = LanguageModelV4 | LanguageModelV3;

/** A model and its settings. */
export interface AgentModel {
  /** The model: a language model of the AI SDK, such as `openai("gpt-5")`. */
  readonly model: LanguageModel;
  /** Whether the answer is streamed, which keeps long answers alive through proxies. @defaultValue false */
  readonly streaming?: boolean;
  /** Maximum number of tokens of one answer, 1 to 1000000. @defaultValue 4096 */
  readonly maxOutputTokens?: number;
  /** Timeout of one attempt, in milliseconds; 1 to 3600000. @defaultValue 120000 */
  readonly timeoutMs?: number;
  /**
   * The request for a call where a call is required. `required`: the model must call a tool. `auto`: it may answer with
   * text instead, for services that refuse `required`. After its first such refusal a service is always asked with
   * `auto`.
   *
   * @defaultValue "required"
   */
  readonly toolChoice?: "required" | "auto";
  /**
   * The model's credentials, above all its key. They are removed from errors, and from replies if they have 16
   * characters or more, because a service may repeat parts of a request. @defaultValue none
   */
  readonly secrets?: readonly string[];
}

/** An {@link AgentModel} with all defaults filled in. */
export type ModelSettings = Required<AgentModel>;

/** The purpose of a model: arguments of tool calls, or answers to questions. */
export type ModelPurpose = "arguments" | "questions";

/** The models that agents ask. */
export interface AgentModels {
  /** Proposes the arguments of tool calls. */
  readonly arguments?: AgentModel;
  /** Answers the questions of conditions. */
  readonly questions?: AgentModel;
  /** The models of single procedures, which replace these. */
  readonly procedures?: {
    readonly [procedureId: string]: { readonly arguments?: AgentModel; readonly questions?: AgentModel };
  };
}

/** The model for a purpose in a procedure; `undefined` when none is configured. */
export function modelFor(models: AgentModels, procedureId: string, purpose: ModelPurpose): AgentModel | undefined {
  const { procedures = {} } = models;
  const own = Object.hasOwn(procedures, procedureId) ? procedures[procedureId] : undefined;
  return own?.[purpose] ?? models[purpose];
}

/** Fills in the defaults. */
export function modelSettings(model: AgentModel): ModelSettings {
  return {
    model: model.model,
    streaming: model.streaming ?? false,
    maxOutputTokens: model.maxOutputTokens ?? 4_096,
    timeoutMs: model.timeoutMs ?? 120_000,
    toolChoice: model.toolChoice ?? "required",
    secrets: model.secrets ?? [],
  };
}

const pairNames = { arguments: true, questions: true } as const;
const modelsNames = { ...pairNames, procedures: true } satisfies OptionNames<AgentModels>;
const modelNames = {
  model: true,
  streaming: true,
  maxOutputTokens: true,
  timeoutMs: true,
  toolChoice: true,
  secrets: true,
} satisfies OptionNames<AgentModel>;

/** @throws ProcedoError `invalid_configuration`, with the option, its value and the allowed values */
export function checkModels(models: AgentModels): void {
  checkOptionNames("The option models", modelsNames, models, "invalid_configuration");
  checkPair("models", models);
  const procedures: unknown = models.procedures ?? {};
  if (typeof procedures !== "object") {
    const message = `The option models.procedures is ${kindOf(procedures)}. Give an object with models by procedure id.`;
    throw new ProcedoError("invalid_configuration", message);
  }
  for (const [procedureId, own] of Object.entries(models.procedures ?? {})) {
    const option = `models.procedures["${procedureId}"]`;
    checkOptionNames(`The option ${option}`, pairNames, own, "invalid_configuration");
    checkPair(option, own);
  }
}

function checkPair(option: string, pair: Pick<AgentModels, ModelPurpose>): void {
  for (const purpose of ["arguments", "questions"] as const) {
    const given = pair[purpose];
    if (given === undefined) continue;
    checkOptionNames(`The option ${option}.${purpose}`, modelNames, given, "invalid_configuration");
    const { model, maxOutputTokens, timeoutMs, toolChoice } = modelSettings(given);
    const version: unknown = (model as Partial<LanguageModel> | undefined)?.specificationVersion;
    if (version !== "v4" && version !== "v3") {
      const message = `The option ${option}.${purpose}.model is not a language model of version v3 or v4 of the AI SDK's specification, but ${version === undefined ? kindOf(model) : quotedValue(version)}. Install a current version of its provider's package.`;
      throw new ProcedoError("invalid_configuration", message);
    }
    checkWhole(`${option}.${purpose}.maxOutputTokens`, maxOutputTokens, 1_000_000);
    checkWhole(`${option}.${purpose}.timeoutMs`, timeoutMs, 3_600_000);
    if (!["required", "auto"].includes(toolChoice)) {
      const message = `The option ${option}.${purpose}.toolChoice is ${quotedValue(toolChoice)}. Give "required" or "auto".`;
      throw new ProcedoError("invalid_configuration", message);
    }
  }
}

function checkWhole(option: string, value: number, most: number): void {
  if (Number.isInteger(value) && value >= 1 && value <= most) return;
  const message = `The option ${option} is ${quotedValue(value)}. Give a whole number from 1 to ${most}.`;
  throw new ProcedoError("invalid_configuration", message);
}
