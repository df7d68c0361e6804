import type { AppMentionEvent, GenericMessageEvent, KnownBlock, ReactionAddedEvent } from "@slack/types";
import { expectTypeOf, test } from "vitest";
import type * as z from "zod";
import type { block } from "./slack-actions.ts";
import type { slackMention, slackMessage, slackReaction } from "./slack-event-types.ts";

/** A type's members, which may have others beside them. */
type Members<Type> = { [Name in keyof Type]: Type[Name] };
type WithTeam<Event> = Members<Event> & { team_id: string };
type Reaction = Omit<ReactionAddedEvent, "item"> & { item: Members<ReactionAddedEvent["item"]> };

test("each block of Slack's types is one that messages take", () => {
  expectTypeOf<Members<KnownBlock>>().toExtend<z.input<typeof block>>();
});

test("the events of Slack's types fit the schemas that expressions read", () => {
  expectTypeOf<WithTeam<Omit<GenericMessageEvent, "files">>>().toExtend<z.input<typeof slackMessage>>();
  expectTypeOf<WithTeam<AppMentionEvent>>().toExtend<z.input<typeof slackMention>>();
  expectTypeOf<WithTeam<Reaction>>().toExtend<z.input<typeof slackReaction>>();
});
