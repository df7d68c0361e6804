import type { AgentModel, AgentModels, LanguageModel } from "../models/models.ts";
import { PlayedModel } from "./played-model.ts";
import type { WorkUnderWay } from "./work-under-way.ts";

/** One model for everything, or several as in the engine's options. */
export type TestModels = LanguageModel | AgentModels;

export function modelsOf(models: TestModels): AgentModels {
  return "specificationVersion" in models ? { arguments: { model: models }, questions: { model: models } } : models;
}

/** Replaces each model. A model that occurs several times is replaced by a single one. */
export function replaceModels(models: AgentModels, replace: (model: LanguageModel) => LanguageModel): AgentModels {
  const replaced = new Map<LanguageModel, LanguageModel>();
  const one = (given: AgentModel): AgentModel => {
    const model = replaced.get(given.model) ?? replace(given.model);
    replaced.set(given.model, model);
    return { ...given, model };
  };
  const pair = (given: Pick<AgentModels, "arguments" | "questions">) => ({
    ...(given.arguments !== undefined && { arguments: one(given.arguments) }),
    ...(given.questions !== undefined && { questions: one(given.questions) }),
  });
  const { procedures } = models;
  if (procedures === undefined) return pair(models);
  const own = Object.entries(procedures).map(([procedureId, given]) => [procedureId, pair(given)]);
  return { ...pair(models), procedures: Object.fromEntries(own) as NonNullable<AgentModels["procedures"]> };
}

/** Models on a test's clock, which waits for real ones. */
export function watchedModels(models: AgentModels, work: WorkUnderWay): AgentModels {
  return replaceModels(models, (model) => (model instanceof PlayedModel ? model.in(work) : watched(model, work)));
}

function watched(model: LanguageModel, work: WorkUnderWay): LanguageModel {
  const { provider, modelId, supportedUrls } = model;
  const names = { provider, modelId, supportedUrls };
  if (model.specificationVersion === "v3") {
    return {
      ...names,
      specificationVersion: "v3",
      doGenerate: (options) => work.duringReal(() => model.doGenerate(options)),
      doStream: async (options) => {
        const result = await work.duringReal(() => model.doStream(options));
        return { ...result, stream: watchedStream(result.stream, work) };
      },
    };
  }
  return {
    ...names,
    specificationVersion: "v4",
    doGenerate: (options) => work.duringReal(() => model.doGenerate(options)),
    doStream: async (options) => {
      const result = await work.duringReal(() => model.doStream(options));
      return { ...result, stream: watchedStream(result.stream, work) };
    },
  };
}

/** An answer is under way until its stream has ended or was cancelled. */
function watchedStream<T>(stream: ReadableStream<T>, work: WorkUnderWay): ReadableStream<T> {
  const { promise, resolve: end } = Promise.withResolvers<void>();
  void work.duringReal(() => promise);
  const reader = stream.getReader();
  return new ReadableStream<T>({
    pull: async (controller) => {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        controller.close();
      } catch (error) {
        controller.error(error);
      }
      end();
    },
    cancel: async (reason) => {
      end();
      await reader.cancel(reason);
    },
  });
}
