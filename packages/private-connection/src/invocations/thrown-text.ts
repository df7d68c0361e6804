/** The message of a thrown value, neither truncated nor redacted. Never throws. */
export function thrownText(thrown: unknown): string {
  try {
    return textOf(thrown);
  } catch {
    return "The handler threw a value that cannot be shown.";
  }
}

/** The message with its stack, for readers inside this network. */
export function thrownStack(thrown: unknown): string {
  try {
    const stack = thrown instanceof Error ? thrown.stack : undefined;
    return typeof stack === "string" && stack !== "" ? stack : thrownText(thrown);
  } catch {
    return thrownText(thrown);
  }
}

function textOf(thrown: unknown): string {
  if (typeof thrown === "string" && thrown !== "") return thrown;
  if (typeof thrown === "object" && thrown !== null && "message" in thrown) {
    const { message } = thrown;
    if (typeof message === "string" && message !== "") return message;
  }
  if (thrown instanceof Error) return `The handler threw ${thrown.name} without a message.`;
  if (typeof thrown === "object" && thrown !== null) return "The handler threw an object without a message.";
  return thrown === "" ? "The handler threw an empty string." : `The handler threw ${String(thrown)}.`;
}
