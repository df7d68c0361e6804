import type { Model, ModelAnswer, ModelOptions } from "../model-types.ts";
import type { AskRequest } from "./model-server.ts";
import type { Stops } from "./stops.ts";

/** The parent's model as a model of the AI SDK: one request per call, without retries. */
export function remoteModel(url: string, stops: Stops): Model {
  return {
    specificationVersion: "v4",
    provider: "loop",
    modelId: "loop-1",
    supportedUrls: {},
    doGenerate: async ({ prompt, tools = [], abortSignal }: ModelOptions): Promise<ModelAnswer> => {
      await stops.reach("model.asked", "before");
      const request: AskRequest = { prompt, tool: tools[0]?.name ?? "", sentAtMs: Date.now() };
      const response = await fetch(url, {
        method: "POST",
        body: JSON.stringify(request),
        signal: abortSignal ?? null,
      });
      const answer = (await response.json()) as ModelAnswer;
      await stops.reach("model.asked", "after");
      if (response.ok) return answer;
      throw Object.assign(new Error(`The model answered ${response.status}.`), { isRetryable: true });
    },
    doStream: () => Promise.reject(new Error("The engine requests no stream.")),
  };
}
