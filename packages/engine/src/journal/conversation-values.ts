import type { ModelReply, Prompted, PromptMessage, Replied, ReplyPart } from "@procedo/procedure";
import type { Bare, EntryValue } from "./entry-values.ts";

/** What was said is a value: prompts repeat what steps were given, and one another. */
export function promptedApart({ added, ...facts }: Prompted): { bare: Bare; values: readonly EntryValue[] } {
  const said = added.map((message, index) => messageApart(message, `/added/${index}`));
  return { bare: { ...facts, added: said.map(({ bare }) => bare) }, values: said.flatMap(({ values }) => values) };
}

export function repliedApart(entry: Replied): { bare: Bare; values: readonly EntryValue[] } {
  const { result, ...facts } = entry;
  if (result.status !== "ok") return { bare: { ...entry }, values: [] };
  const { bare: reply, values } = replyApart(result.reply, "/result/reply");
  return { bare: { ...facts, result: { ...result, reply } }, values };
}

interface Apart {
  readonly bare: object;
  readonly values: readonly EntryValue[];
}

function messageApart(message: PromptMessage, place: string): Apart {
  if (message.role === "tool") {
    const { output, ...facts } = message;
    return { bare: facts, values: [[`${place}/output`, output]] };
  }
  const { text, ...facts } = message;
  return { bare: facts, values: [[`${place}/text`, text]] };
}

function replyApart({ content, providerMetadata, ...facts }: ModelReply, place: string): Apart {
  const parts = content.map((part, index) => partApart(part, `${place}/content/${index}`));
  return {
    bare: { ...facts, content: parts.map(({ bare }) => bare) },
    values: [...parts.flatMap(({ values }) => values), ...metadataAt(place, providerMetadata)],
  };
}

function partApart(part: ReplyPart, place: string): Apart {
  if (part.type === "tool_call") {
    const { input, providerMetadata, ...facts } = part;
    return { bare: facts, values: [[`${place}/input`, input], ...metadataAt(place, providerMetadata)] };
  }
  const { text, providerMetadata, ...facts } = part;
  return { bare: facts, values: [[`${place}/text`, text], ...metadataAt(place, providerMetadata)] };
}

function metadataAt(place: string, metadata: ModelReply["providerMetadata"]): readonly EntryValue[] {
  return metadata === undefined ? [] : [[`${place}/providerMetadata`, metadata]];
}
