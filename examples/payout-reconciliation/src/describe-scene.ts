import { describeRun } from "@procedo-examples/vendor-payment/describe-run";
import type { PostedMessage } from "./fakes/fake-slack.ts";
import type { Scene } from "./run-scenario.ts";

const maxLineChars = 240;

/** Describes a run in lines of text. Long inputs and outputs, such as the lists of Stripe, are cut. */
export function describeScene(scene: Scene): readonly string[] {
  return describeRun(scene).map((line) => (line.length <= maxLineChars ? line : `${line.slice(0, maxLineChars)} …`));
}

/** The messages of the channel, in lines of text. */
export function describeMessages(messages: readonly PostedMessage[]): readonly string[] {
  return messages.map(({ ts, text }) => `  ${ts}  ${text}`);
}
