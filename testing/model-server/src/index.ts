/*
 * A local model service for tests. Its answers are scripted; its protocol follows the real services.
 *
 * server.ts          listens, records requests, and sends the scripted answers
 * answers.ts         types of scripted answers
 * openai.ts          OpenAI's chat completions: answers, streams, errors; openai-rules.ts: their refusals
 * anthropic.ts       Anthropic's messages: answers, streams, errors; anthropic-rules.ts: their refusals
 * schema-rules.ts    refusals of tool schemas, for both
 * send.ts            sends an answer, or a part of one
 */
export { startModelServer, type ModelServer, type ModelServerOptions } from "./server.ts";
export type { ModelAnswer, ReceivedRequest, ScriptedReply, ScriptedToolCall } from "./answers.ts";
