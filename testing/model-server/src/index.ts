/*
 * A model service on this machine, for whoever tests against one: what it answers is scripted, how it speaks is not.
 *
 * server.ts          listens, records, and answers by the script
 * answers.ts         what can be scripted
 * openai.ts          OpenAI's chat completions: whole, as a stream, errors; openai-rules.ts: what it refuses
 * anthropic.ts       Anthropic's messages: the same; anthropic-rules.ts
 * schema-rules.ts    what both refuse of a tool's schema
 * send.ts            puts an answer on the wire, or a part of it
 */
export { startModelServer, type ModelServer, type ModelServerOptions } from "./server.ts";
export type { ModelAnswer, ReceivedRequest, ScriptedReply, ScriptedToolCall } from "./answers.ts";
