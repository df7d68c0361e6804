import { procedureIdSchema, type ErrorDetail } from "@procedo/contract";
import type { ModelPurpose } from "@procedo/engine";
import { address, onOrOff, whole, type Read, type Reading } from "./values.ts";

/** The language models of agents, and how to reach them. */
export interface ModelSettings {
  /** `PROCEDO_MODEL`, such as `anthropic:claude-sonnet-4-5`: the model that proposes arguments. @defaultValue none */
  readonly model: NamedModel | undefined;
  /** `PROCEDO_MODEL_QUESTIONS`: the model that answers questions. @defaultValue `model` */
  readonly questions: NamedModel | undefined;
  /**
   * `PROCEDO_MODEL_FOR`: models per procedure, such as `payment=openai:gpt-5,payment/questions=openai:gpt-5-mini`.
   * @defaultValue none
   */
  readonly procedures: readonly ProcedureModel[];
  /**
   * `PROCEDO_MODEL_URL`: base address of the compatible service or, without a compatible model, of the only provider in
   * use. `addressOf` returns the address of a provider.
   * @defaultValue the provider's own
   */
  readonly url: string | undefined;
  /** `OPENAI_API_KEY`, `ANTHROPIC_API_KEY`, and `PROCEDO_MODEL_API_KEY` for the compatible service. @defaultValue none */
  readonly keys: Readonly<Partial<Record<ModelProvider, string>>>;
  /** `PROCEDO_MODEL_STREAMING`, `on` or `off`. @defaultValue off */
  readonly streaming: boolean;
  /**
   * `PROCEDO_MODEL_TOOL_CHOICE`: whether models are required to call a tool (`required`) or only allowed to (`auto`).
   * Set it for all models with `auto`, or for one with `compatible:qwen3=auto`. @defaultValue none
   */
  readonly toolChoices: readonly ToolChoice[];
  /** `PROCEDO_MODEL_MAX_OUTPUT_TOKENS`: limit of one answer, 1 to 1000000. @defaultValue the engine's */
  readonly maxOutputTokens: number | undefined;
  /** `PROCEDO_MODEL_TIMEOUT_MS`: timeout of one attempt, 1 to 3600000. @defaultValue the engine's */
  readonly timeoutMs: number | undefined;
}

/** `compatible`: a service with the API of OpenAI's chat completions. */
export type ModelProvider = (typeof providers)[number];

/** A language model by provider and id. */
export interface NamedModel {
  /** The provider, such as `anthropic`. */
  readonly provider: ModelProvider;
  /** The provider's name of the model. */
  readonly modelId: string;
}

/** The model of one procedure, for arguments, questions or both. */
export interface ProcedureModel {
  /** The procedure whose agents ask the model. */
  readonly procedureId: string;
  /** `undefined`: both. */
  readonly purpose: "arguments" | "questions" | undefined;
  /** The model. */
  readonly model: NamedModel;
}

/** The purposes for which a model is configured, at least for one procedure. */
export function purposesOf({ model, questions, procedures }: ModelSettings): readonly ModelPurpose[] {
  const isFor = (purpose: ModelPurpose): boolean =>
    (purpose === "arguments" ? model : questions) !== undefined ||
    procedures.some((one) => one.purpose === undefined || one.purpose === purpose);
  return (["arguments", "questions"] as const).filter(isFor);
}

export interface ToolChoice {
  /** `undefined`: applies to every model without an entry of its own. */
  readonly model: NamedModel | undefined;
  /** Whether the model is required to call a tool, or only allowed to. */
  readonly toolChoice: "required" | "auto";
}

const providers = ["openai", "anthropic", "compatible"] as const;
const keyVariables = {
  openai: "OPENAI_API_KEY",
  anthropic: "ANTHROPIC_API_KEY",
  compatible: "PROCEDO_MODEL_API_KEY",
} as const satisfies Record<ModelProvider, string>;

const modelRule =
  "Give openai:<model>, anthropic:<model>, or compatible:<model> for a service that speaks OpenAI's chat completions.";
const proceduresRule = `Give <procedure>=<provider>:<model>, <procedure>/arguments=… or <procedure>/questions=…, separated by commas. ${modelRule}`;

const toolChoicesRule =
  "Give required or auto for all models, <provider>:<model>=required or =auto for one, separated by commas.";

/** Also adds problems for missing or conflicting variables. */
export function readModelSettings(read: Read, problems: ErrorDetail[]): ModelSettings {
  const model = read("PROCEDO_MODEL", undefined, namedModel);
  const key = (provider: ModelProvider): { readonly [name in ModelProvider]?: string } => {
    const value = read(keyVariables[provider], undefined, apiKey);
    return value === undefined ? {} : { [provider]: value };
  };
  const settings: ModelSettings = {
    model,
    questions: read("PROCEDO_MODEL_QUESTIONS", model, namedModel),
    procedures: read("PROCEDO_MODEL_FOR", [], procedureModels),
    url: read("PROCEDO_MODEL_URL", undefined, address),
    keys: { ...key("openai"), ...key("anthropic"), ...key("compatible") },
    streaming: read("PROCEDO_MODEL_STREAMING", false, onOrOff),
    toolChoices: read("PROCEDO_MODEL_TOOL_CHOICE", [], toolChoices),
    maxOutputTokens: read("PROCEDO_MODEL_MAX_OUTPUT_TOKENS", undefined, (text) => whole(text, 1, 1_000_000)),
    timeoutMs: read("PROCEDO_MODEL_TIMEOUT_MS", undefined, (text) => whole(text, 1, 3_600_000)),
  };
  // An invalid variable is reported once, and not again as missing.
  const told = new Set(problems.map(({ path }) => path));
  problems.push(...missing(settings).filter(({ path }) => !told.has(path)));
  return settings;
}

function missing(settings: ModelSettings): readonly ErrorDetail[] {
  const named = namedProviders(settings);
  const problem = (name: string, message: string): ErrorDetail => ({ path: `/${name}`, message: `${name} ${message}` });
  const problems = (["openai", "anthropic"] as const)
    .filter((provider) => named.has(provider) && settings.keys[provider] === undefined)
    .map((provider) =>
      problem(keyVariables[provider], `is not set, and a model of ${provider} is named. Set its key.`),
    );
  if (named.has("compatible") && settings.url === undefined) {
    const example = "such as http://127.0.0.1:11434/v1";
    problems.push(
      problem(
        "PROCEDO_MODEL_URL",
        `is not set, and a compatible model is named. Give the service's base address, ${example}.`,
      ),
    );
  }
  if (settings.url !== undefined && !named.has("compatible") && named.size > 1) {
    const whose = "Name models of one provider only, or unset it.";
    problems.push(problem("PROCEDO_MODEL_URL", `is set, and models of openai and anthropic are named. ${whose}`));
  }
  return problems;
}

/**
 * Base address for a provider from the settings; `undefined` for the provider's own. The address of the compatible
 * service applies to that service alone: other providers' keys and prompts must not be sent there.
 */
export function addressOf(provider: ModelProvider, settings: ModelSettings): string | undefined {
  return provider !== "compatible" && namedProviders(settings).has("compatible") ? undefined : settings.url;
}

function namedProviders({ model, questions, procedures }: ModelSettings): ReadonlySet<ModelProvider> {
  const named = [model, questions, ...procedures.map((own) => own.model)].filter((one) => one !== undefined);
  return new Set(named.map(({ provider }) => provider));
}

function namedModel(text: string): Reading<NamedModel> {
  const model = parseModel(text);
  return model === undefined ? { wrong: `${shown(text)}. ${modelRule}` } : { value: model };
}

function parseModel(text: string): NamedModel | undefined {
  const [name, ...rest] = text.split(":");
  const provider = providers.find((known) => known === name);
  const modelId = rest.join(":");
  if (provider === undefined || !/^[\x21-\x2b\x2d-\x7e]{1,200}$/.test(modelId)) return undefined;
  return { provider, modelId };
}

function procedureModels(text: string): Reading<readonly ProcedureModel[]> {
  const models: ProcedureModel[] = [];
  for (const entry of entriesOf(text)) {
    const model = procedureModel(entry);
    if (model === undefined) return { wrong: `has an invalid entry: it ${shown(entry)}. ${proceduresRule}` };
    const again = models.some(
      ({ procedureId, purpose }) => procedureId === model.procedureId && purpose === model.purpose,
    );
    if (again) return { wrong: `names a model for "${entry.split("=")[0]}" twice. Remove one.` };
    models.push(model);
  }
  return { value: models };
}

function entriesOf(text: string): readonly string[] {
  return text
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
}

function procedureModel(entry: string): ProcedureModel | undefined {
  const [whom = "", ...rest] = entry.split("=");
  const model = parseModel(rest.join("="));
  const [procedureId = "", word, ...more] = whom.split("/");
  const purpose = (["arguments", "questions"] as const).find((known) => known === word);
  if (model === undefined || more.length > 0 || (word !== undefined && purpose === undefined)) return undefined;
  return procedureIdSchema.safeParse(procedureId).success ? { procedureId, purpose, model } : undefined;
}

/** The tool choice of a model. */
export function toolChoiceOf(
  { provider, modelId }: NamedModel,
  { toolChoices }: ModelSettings,
): ToolChoice["toolChoice"] {
  const own = toolChoices.find(({ model }) => model?.provider === provider && model.modelId === modelId);
  return (own ?? toolChoices.find(({ model }) => model === undefined))?.toolChoice ?? "required";
}

function toolChoices(text: string): Reading<readonly ToolChoice[]> {
  const choices: ToolChoice[] = [];
  for (const entry of entriesOf(text)) {
    const choice = toolChoice(entry);
    if (choice === undefined) return { wrong: `has an invalid entry: it ${shown(entry)}. ${toolChoicesRule}` };
    const again = choices.some(
      ({ model }) => model?.provider === choice.model?.provider && model?.modelId === choice.model?.modelId,
    );
    if (again) return { wrong: `sets the tool choice of "${entry.split("=")[0]}" twice. Remove one.` };
    choices.push(choice);
  }
  return { value: choices };
}

function toolChoice(entry: string): ToolChoice | undefined {
  const at = entry.lastIndexOf("=");
  const model = at === -1 ? undefined : parseModel(entry.slice(0, at));
  const toolChoice = (["required", "auto"] as const).find((known) => known === entry.slice(at + 1));
  return toolChoice === undefined || (at !== -1 && model === undefined) ? undefined : { model, toolChoice };
}

/** The value is a secret and is never shown. */
function apiKey(text: string): Reading<string> {
  if (/^[\x21-\x7e]+$/.test(text)) return { value: text };
  return { wrong: "contains a space, a line break or a character that no key has. Give only the key." };
}

/** The value in place of a model may be a key. */
function shown(text: string): string {
  return /\bsk-/.test(text) ? "seems to be a key" : `is "${text}"`;
}
